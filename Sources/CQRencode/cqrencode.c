// The functions of libqrencode that QR calls.

#include "forwarding.h"

#pragma GCC visibility push(hidden)
#include "include/cqrencode.h"

#define LIBRARY LOADING_QRENCODE

FORWARD(QRcode *, QRcode_encodeData, (int size, const unsigned char *data, int version,
        QRecLevel level), size, data, version, level)
FORWARD_VOID(QRcode_free, (QRcode *qrcode), qrcode)
