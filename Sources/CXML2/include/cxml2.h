#ifndef AGENTPIPES_CXML2_H
#define AGENTPIPES_CXML2_H

#include <libxml/xmlversion.h>
// Debian's libxml2 includes ICU's headers, whose enumerations clash with those of Foundation's own
// ICU when both are seen. Nothing here looks into the one structure that this changes.
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>

#endif
