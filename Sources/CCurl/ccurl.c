// The functions of libcurl that HTTP calls.

#include "forwarding.h"

#include <stdarg.h>
#include <stddef.h>

#pragma GCC visibility push(hidden)
#include "include/ccurl.h"

#define LIBRARY LOADING_CURL

void *ccurl_library(void) { return loading_open(LIBRARY); }

// A variadic function of which only one argument is given; a pointer, a long and a curl_off_t are
// handed over alike wherever long has 64 bits.
#define FORWARD_ONE(result, name, handle, option)                                                  \
  result name(handle one, option two, ...) {                                                       \
    FUNCTION(name);                                                                                \
    va_list arguments;                                                                             \
    va_start(arguments, two);                                                                      \
    void *three = va_arg(arguments, void *);                                                       \
    va_end(arguments);                                                                             \
    return call(one, two, three);                                                                  \
  }

_Static_assert(sizeof(long) == sizeof(void *) && sizeof(curl_off_t) == sizeof(void *),
               "one argument of a variadic function stands for all");

FORWARD(CURLcode, curl_global_init, (long flags), flags)

FORWARD(CURL *, curl_easy_init, (void))
FORWARD_ONE(CURLcode, curl_easy_setopt, CURL *, CURLoption)
FORWARD_ONE(CURLcode, curl_easy_getinfo, CURL *, CURLINFO)
FORWARD(CURLcode, curl_easy_pause, (CURL * handle, int directions), handle, directions)
FORWARD(const char *, curl_easy_strerror, (CURLcode code), code)
FORWARD_VOID(curl_easy_cleanup, (CURL * handle), handle)

FORWARD(CURLM *, curl_multi_init, (void))
FORWARD(CURLMcode, curl_multi_add_handle, (CURLM * multi, CURL *handle), multi, handle)
FORWARD(CURLMcode, curl_multi_remove_handle, (CURLM * multi, CURL *handle), multi, handle)
FORWARD(CURLMcode, curl_multi_perform, (CURLM * multi, int *running), multi, running)
FORWARD(CURLMcode, curl_multi_poll,
        (CURLM * multi, struct curl_waitfd *others, unsigned int count, int milliseconds,
         int *ready),
        multi, others, count, milliseconds, ready)
FORWARD(CURLMcode, curl_multi_wakeup, (CURLM * multi), multi)
FORWARD(CURLMsg *, curl_multi_info_read, (CURLM * multi, int *left), multi, left)
FORWARD(const char *, curl_multi_strerror, (CURLMcode code), code)
FORWARD(CURLMcode, curl_multi_cleanup, (CURLM * multi), multi)

FORWARD(CURLSH *, curl_share_init, (void))
FORWARD_ONE(CURLSHcode, curl_share_setopt, CURLSH *, CURLSHoption)
FORWARD(CURLSHcode, curl_share_cleanup, (CURLSH * share), share)

FORWARD(struct curl_slist *, curl_slist_append, (struct curl_slist * list, const char *text), list,
        text)
FORWARD_VOID(curl_slist_free_all, (struct curl_slist * list), list)

FORWARD(CURLU *, curl_url, (void))
FORWARD(CURLUcode, curl_url_set, (CURLU * url, CURLUPart part, const char *text, unsigned int flags),
        url, part, text, flags)
FORWARD_VOID(curl_url_cleanup, (CURLU * url), url)
// Whether the first parameter is const depends on the version.
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  FUNCTION(curl_url_get);
  return call(url, part, text, flags);
}

FORWARD_VOID(curl_free, (void *memory), memory)
