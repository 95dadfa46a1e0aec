// SPDX-License-Identifier: Apache-2.0

/**
 * The clauses of an Upper Layer Binding, in a comment of an XDR file or in a sidecar. ClausePieces splits both into pieces. Each clause, and each
 * head of an entry, is parsed separately, so that an error in one does not hide errors in the next.
 */
grammar Ulb;

single
    : clause (';' | '}' | EOF)
    ;

head
    : kind=('item' | 'procedure' | 'version' | 'type' | 'constant') path '{'
    ;

clause
    : 'eligible' ('as' only=('argument' | 'result'))?           # eligible
    | 'size' expression condition?                              # size
    | 'reply-size' expression                                   # replySize
    | 'read-chunks' NUMBER                                      # readChunks
    | 'write-chunks' NUMBER                                     # writeChunks
    | 'operations' sizePath ',' sizePath ',' 'success' word     # operations
    | 'idempotent'                                              # idempotent
    | 'port' at=(NUMBER | 'dynamic')                            # port
    | 'netid' word (',' word)*                                  # netid
    | 'inline-threshold' NUMBER                                 # inlineThreshold
    | 'max-message' NUMBER                                      # maxMessage
    | 'violation' answer=('garbage-args' | 'err-chunk')         # violation
    | 'direction' 'backward'                                    # backward
    | 'name' word                                               # javaName
    | 'prefix' word                                             # prefix
    | 'open'                                                    # open
    | 'value' text='text'?                                      # asValue
    | 'bits' word?                                              # bits
    ;

expression
    : 'unbounded'               # unbounded
    | NUMBER ('+' value)?       # literalSize
    | sizePath ('+' value)?     # sizeByPath
    ;

/** Selects the elements of an argument's array by a discriminant. */
condition
    : 'when' sizePath '=' value
    ;

value
    : NUMBER    # number
    | word      # named
    ;

/** A path through an array, of which it selects the element with the index of the result. */
sizePath
    : step ('.' step)*
    ;

step
    : word INDEX?
    ;

path
    : word ('.' word)*
    ;

/** Keywords of the binding language, which XDR names may be. */
word
    : WORD | 'item' | 'procedure' | 'version' | 'type' | 'constant' | 'eligible' | 'as' | 'argument' | 'result' | 'size' | 'port' | 'netid'
    | 'violation' | 'direction' | 'backward' | 'name' | 'prefix' | 'dynamic' | 'unbounded' | 'when'
    | 'open' | 'value' | 'text' | 'bits'
    | 'operations' | 'success' | 'idempotent'
    ;

OPENING_BRACE
    : '{'
    ;

CLOSING_BRACE
    : '}'
    ;

SEMICOLON
    : ';'
    ;

ITEM
    : 'item'
    ;

PROCEDURE
    : 'procedure'
    ;

VERSION
    : 'version'
    ;

TYPE
    : 'type'
    ;

CONSTANT
    : 'constant'
    ;

ARGUMENT
    : 'argument'
    ;

RESULT
    : 'result'
    ;

DYNAMIC
    : 'dynamic'
    ;

ERR_CHUNK
    : 'err-chunk'
    ;

WORD
    : [a-zA-Z_] [a-zA-Z0-9_]*
    ;

INDEX
    : '[i]'
    ;

NUMBER
    : '-'? [0-9] [a-zA-Z0-9_]*
    ;

COMMENT
    : ('/*' .*? '*/' | '//' ~[\n]*) -> skip
    ;

WHITE_SPACE
    : [ \t\n\f]+ -> skip
    ;

/** A word that occurs in no clause. The reader reports it. */
UNKNOWN_WORD
    : [a-zA-Z_] [a-zA-Z0-9_-]*
    ;

UNKNOWN
    : .
    ;
