#ifndef AGENTPIPES_CQRENCODE_H
#define AGENTPIPES_CQRENCODE_H

#include <qrencode.h>

#endif
