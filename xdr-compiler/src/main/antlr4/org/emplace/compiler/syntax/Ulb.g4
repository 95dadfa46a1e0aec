// SPDX-License-Identifier: Apache-2.0

/** The clauses of an Upper Layer Binding, as they stand in a comment of an XDR file or in a file of their own. */
grammar Ulb;

comment
    : clauses EOF
    ;

sidecar
    : entry* EOF
    ;

entry
    : ('item' | 'procedure' | 'version' | 'type') path '{' clauses '}'
    ;

clauses
    : (clause (';' clause)* ';'?)?
    ;

clause
    : 'eligible' ('as' ('argument' | 'result'))?                # eligible
    | 'size' expression                                         # size
    | 'reply-size' expression                                   # replySize
    | 'read-chunks' NUMBER                                      # readChunks
    | 'write-chunks' NUMBER                                     # writeChunks
    | 'port' NUMBER                                             # port
    | 'netid' word (',' word)*                                  # netid
    | 'inline-threshold' NUMBER                                 # inlineThreshold
    | 'violation' ('garbage-args' | 'err-chunk')                # violation
    | 'direction' 'backward'                                    # backward
    | 'name' word                                               # javaName
    ;

expression
    : (NUMBER | path) ('+' (NUMBER | word))?
    ;

path
    : word ('.' word)*
    ;

/** XDR names are free to be what are keywords here. */
word
    : WORD | 'item' | 'procedure' | 'version' | 'type' | 'eligible' | 'as' | 'argument' | 'result' | 'size' | 'port' | 'netid'
    | 'violation' | 'direction' | 'backward' | 'name'
    ;

WORD
    : [a-zA-Z_] [a-zA-Z0-9_]*
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

/** A word that no clause has; the reader names it. */
UNKNOWN_WORD
    : [a-zA-Z_] [a-zA-Z0-9_-]*
    ;

UNKNOWN
    : .
    ;
