#ifndef AGENTPIPES_CCURL_H
#define AGENTPIPES_CCURL_H

// The type checking macros of GCC and clang only work where the option is a literal.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// libcurl as dlopen(3) returns it; NULL if it is missing. Until this has returned another value, no
// other function of libcurl may be called.
//
// libcurl brings some 25 libraries, through all of which the dynamic linker would look for each
// symbol of the program, in every run that fetches nothing.
void *ccurl_library(void);

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call. Each function
// below fixes one type of the third argument, as the option's documentation names it.

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

// CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION share this callback type.
static inline CURLcode ccurl_set_write(CURL *handle, CURLoption option,
                                       curl_write_callback callback) {
  return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode ccurl_set_progress(CURL *handle, curl_xferinfo_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}

static inline CURLcode ccurl_set_open_socket(CURL *handle, curl_opensocket_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

static inline CURLcode ccurl_set_before_request(CURL *handle, curl_prereq_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline CURLcode ccurl_set_debug(CURL *handle, curl_debug_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, callback);
}

static inline CURLSHcode ccurl_share_cookies(CURLSH *share) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

// curl_url_get(3), whose first parameter is const in some versions.
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);

static inline CURLcode ccurl_get_list(CURL *handle, CURLINFO info, struct curl_slist **value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_string(CURL *handle, CURLINFO info, const char **value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}

// Casting macros are not imported into Swift.
static inline long ccurl_http_version_2_over_tls(void) { return CURL_HTTP_VERSION_2TLS; }
static inline long ccurl_tls_1_2(void) { return CURL_SSLVERSION_TLSv1_2; }

#endif
