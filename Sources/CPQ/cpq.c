// The functions of libpq that Postgres calls.

#include "forwarding.h"

#pragma GCC visibility push(hidden)
#include "include/cpq.h"

#define LIBRARY LOADING_PQ

FORWARD_VOID(PQclear, (PGresult *res), res)
FORWARD(char *, PQcmdStatus, (PGresult *res), res)
FORWARD(char *, PQcmdTuples, (PGresult *res), res)
FORWARD(PGconn *, PQconnectdbParams, (const char *const *keywords, const char *const *values,
        int expand_dbname), keywords, values, expand_dbname)
FORWARD_VOID(PQconninfoFree, (PQconninfoOption *connOptions), connOptions)
FORWARD(PQconninfoOption *, PQconninfoParse, (const char *conninfo, char **errmsg), conninfo,
        errmsg)
FORWARD(int, PQconsumeInput, (PGconn *conn), conn)
FORWARD(char *, PQerrorMessage, (const PGconn *conn), conn)
FORWARD(PGresult *, PQexec, (PGconn *conn, const char *query), conn, query)
FORWARD(PGresult *, PQexecPrepared, (PGconn *conn, const char *stmtName, int nParams,
        const char *const *paramValues, const int *paramLengths, const int *paramFormats,
        int resultFormat), conn, stmtName, nParams, paramValues, paramLengths, paramFormats,
        resultFormat)
FORWARD_VOID(PQfinish, (PGconn *conn), conn)
FORWARD(char *, PQfname, (const PGresult *res, int field_num), res, field_num)
FORWARD_VOID(PQfreemem, (void *ptr), ptr)
FORWARD(Oid, PQftype, (const PGresult *res, int field_num), res, field_num)
FORWARD(int, PQgetisnull, (const PGresult *res, int tup_num, int field_num), res, tup_num,
        field_num)
FORWARD(int, PQgetlength, (const PGresult *res, int tup_num, int field_num), res, tup_num,
        field_num)
FORWARD(PGresult *, PQgetResult, (PGconn *conn), conn)
FORWARD(char *, PQgetvalue, (const PGresult *res, int tup_num, int field_num), res, tup_num,
        field_num)
FORWARD(int, PQnfields, (const PGresult *res), res)
FORWARD(PGnotify *, PQnotifies, (PGconn *conn), conn)
FORWARD(int, PQntuples, (const PGresult *res), res)
FORWARD(const char *, PQparameterStatus, (const PGconn *conn, const char *paramName), conn,
        paramName)
FORWARD(PGresult *, PQprepare, (PGconn *conn, const char *stmtName, const char *query, int nParams,
        const Oid *paramTypes), conn, stmtName, query, nParams, paramTypes)
FORWARD(int, PQputCopyData, (PGconn *conn, const char *buffer, int nbytes), conn, buffer, nbytes)
FORWARD(int, PQputCopyEnd, (PGconn *conn, const char *errormsg), conn, errormsg)
FORWARD(char *, PQresultErrorField, (const PGresult *res, int fieldcode), res, fieldcode)
FORWARD(ExecStatusType, PQresultStatus, (const PGresult *res), res)
FORWARD(int, PQserverVersion, (const PGconn *conn), conn)
FORWARD(PQnoticeReceiver, PQsetNoticeReceiver, (PGconn *conn, PQnoticeReceiver proc, void *arg),
        conn, proc, arg)
FORWARD(int, PQsocket, (const PGconn *conn), conn)
FORWARD(ConnStatusType, PQstatus, (const PGconn *conn), conn)
