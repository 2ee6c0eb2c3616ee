#ifndef AGENTPIPES_CQRENCODE_SHIM_H
#define AGENTPIPES_CQRENCODE_SHIM_H

#include <qrencode.h>

#endif
