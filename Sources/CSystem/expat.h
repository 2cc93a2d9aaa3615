// expat: a parser of XML (expat.h).
#include "library.h"

struct XML_ParserStruct;

// Texts are UTF-8 and belong to the parser, which is the calling one's alone. A length and a boolean of 0 are "none".
#define EXPAT(FUNCTION) \
  FUNCTION(struct XML_ParserStruct *, XML_ParserCreate, (const char *encoding)) \
  FUNCTION(void, XML_ParserFree, (struct XML_ParserStruct *)) \
  FUNCTION(void, XML_SetUserData, (struct XML_ParserStruct *, void *data)) \
  FUNCTION(void, XML_SetElementHandler, \
           (struct XML_ParserStruct *, void (*start)(void *data, const char *name, const char **attributes), \
            void (*end)(void *data, const char *name))) \
  FUNCTION(void, XML_SetCharacterDataHandler, \
           (struct XML_ParserStruct *, void (*)(void *data, const char *text, int length))) \
  FUNCTION(void, XML_SetStartDoctypeDeclHandler, \
           (struct XML_ParserStruct *, void (*)(void *data, const char *name, const char *system_id, \
                                                const char *public_id, int has_internal_subset))) \
  FUNCTION(int, XML_StopParser, (struct XML_ParserStruct *, unsigned char resumable)) \
  FUNCTION(int, XML_Parse, (struct XML_ParserStruct *, const char *, int length, int is_final)) \
  FUNCTION(int, XML_GetErrorCode, (struct XML_ParserStruct *)) \
  FUNCTION(const char *, XML_ErrorString, (int code)) \
  FUNCTION(unsigned long, XML_GetCurrentLineNumber, (struct XML_ParserStruct *))

LIBRARY(expat, EXPAT, "libexpat.so.1")
