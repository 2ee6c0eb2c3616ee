// The functions of libxml2 that Reading calls.

#include "forwarding.h"

#pragma GCC visibility push(hidden)
#include "include/cxml2.h"

#define LIBRARY LOADING_XML

FORWARD(htmlDocPtr, htmlCtxtReadMemory, (xmlParserCtxtPtr ctxt, const char *buffer, int size,
        const char *URL, const char *encoding, int options), ctxt, buffer, size, URL, encoding,
        options)
FORWARD_VOID(htmlFreeParserCtxt, (htmlParserCtxtPtr ctxt), ctxt)
FORWARD(htmlParserCtxtPtr, htmlNewParserCtxt, (void))
FORWARD_VOID(xmlFreeDoc, (xmlDocPtr cur), cur)
FORWARD_VOID(xmlInitParser, (void))
FORWARD_VOID(xmlStopParser, (xmlParserCtxtPtr ctxt), ctxt)
