/* Moves the wall clock of a program by the seconds in TEST_CLOCK_OFFSET: for LD_PRELOAD, in tests alone.
 * Unlike libfaketime it shares nothing between processes, so that two of them never wait for each other. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static time_t offset(void) {
  const char *text = getenv("TEST_CLOCK_OFFSET");
  return text ? (time_t)atoll(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = next(clock, now);
  if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += offset();
  return result;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  struct timespec time;
  int result = clock_gettime(CLOCK_REALTIME, &time);
  if (result == 0) *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
  return result;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

/* A deadline that was made from the moved clock, as the kernel's clock has it; one of another clock as it
 * is. */
static struct timespec kept(const struct timespec *deadline) {
  struct timespec moved = *deadline;
  if (moved.tv_sec > 1000000000) moved.tv_sec -= offset();
  return moved;
}

int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
  static int (*next)(sem_t *, const struct timespec *);
  if (!next) next = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
  struct timespec moved = kept(deadline);
  return next(semaphore, &moved);
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *deadline) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  /* The first version of it takes conditions of another form. */
  if (!next)
    next = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlvsym(
        RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!next)
    next = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlsym(
        RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec moved = kept(deadline);
  return next(condition, mutex, &moved);
}
