// libSM and libICE: a client of the X session manager (SM.h, SMlib.h, ICElib.h).
#include "library.h"

struct _SmcConn;
struct _IceConn;

#define SmProtoMajor 1
#define SmProtoMinor 0
#define SmDialogNormal 1
#define SmInteractStyleAny 2
#define SmRestartIfRunning 0
#define SmRestartNever 3
#define SM_InteractRequest 5

#define SmcSaveYourselfProcMask 1
#define SmcDieProcMask 2
#define SmcSaveCompleteProcMask 4
#define SmcShutdownCancelledProcMask 8

#define IceProcessMessagesSuccess 0
#define IceProcessMessagesIOError 1
#define IceProcessMessagesConnectionClosed 2

typedef void (*smc_notify)(struct _SmcConn *, void *data);
typedef void (*smc_save_yourself)(struct _SmcConn *, void *data, int type, int shutdown, int style, int fast);
// Of both libraries: the connection is an SmcConn or an IceConn.
typedef void (*ice_error_handler)(void *connection, int swap, int opcode, unsigned long sequence, int kind,
                                  int severity, void *values);
typedef void (*ice_io_error_handler)(struct _IceConn *);

struct smc_save_yourself_callback {
  smc_save_yourself function;
  void *data;
};
struct smc_callback {
  smc_notify function;
  void *data;
};
struct smc_callbacks {
  struct smc_save_yourself_callback save_yourself;
  struct smc_callback die, save_complete, shutdown_cancelled;
};

struct sm_value {
  int length;
  void *bytes;
};
struct sm_property {
  char *name;
  char *type;
  int count;
  struct sm_value *values;
};

// libSM stands on libICE, so that it finds the functions of both.
#define SESSION_MANAGER(FUNCTION) \
  FUNCTION(struct _SmcConn *, SmcOpenConnection, \
           (char *addresses, void *context, int major, int minor, unsigned long mask, struct smc_callbacks *, \
            const char *previous_id, char **id, int error_size, char *error)) \
  FUNCTION(int, SmcCloseConnection, (struct _SmcConn *, int reason_count, char **reasons)) \
  FUNCTION(struct _IceConn *, SmcGetIceConnection, (struct _SmcConn *)) \
  FUNCTION(void, SmcSetProperties, (struct _SmcConn *, int count, struct sm_property **properties)) \
  FUNCTION(int, SmcInteractRequest, (struct _SmcConn *, int dialog, smc_notify interact, void *data)) \
  FUNCTION(void, SmcInteractDone, (struct _SmcConn *, int cancels)) \
  FUNCTION(void, SmcSaveYourselfDone, (struct _SmcConn *, int success)) \
  FUNCTION(void *, SmcSetErrorHandler, (ice_error_handler)) \
  FUNCTION(int, IceConnectionNumber, (struct _IceConn *)) \
  FUNCTION(int, IceProcessMessages, (struct _IceConn *, void *reply_wait, int *is_reply_ready)) \
  FUNCTION(void, IceSetShutdownNegotiation, (struct _IceConn *, int negotiates)) \
  FUNCTION(void *, IceSetErrorHandler, (ice_error_handler)) \
  FUNCTION(void *, IceSetIOErrorHandler, (ice_io_error_handler))

LIBRARY(session_manager, SESSION_MANAGER, "libSM.so.6")
