// SPDX-License-Identifier: Apache-2.0

/**
 * XDR (RFC 4506 section 6.3) with the RPC language (RFC 5531 section 12) and what others take beyond them. It is a little wider than
 * the language where that lets the reader say precisely what is wrong.
 */
grammar Xdr;

tokens {
    NAMESPACE,
    PRAGMA
}

file
    : item* EOF
    ;

item
    : definition
    | namespace
    | pragma
    ;

definition
    : binding* (constant | typeAlias | enumeration | structure | union)
    | program
    ;

/** Of xdrpp. */
namespace
    : NAMESPACE IDENTIFIER '{' item* '}' ';'?
    ;

/** Of the Linux kernel's xdrgen. */
pragma
    : PRAGMA IDENTIFIER+ ';'
    ;

/** A clause of the Upper Layer Binding; what is inside is the matter of Ulb.g4. */
binding
    : DDP
    ;

constant
    : 'const' IDENTIFIER '=' (value | STRING) ';'
    ;

typeAlias
    : 'typedef' declaration ';'
    ;

enumeration
    : 'enum' IDENTIFIER enumBody ';'
    ;

structure
    : 'struct' IDENTIFIER structBody ';'
    ;

union
    : 'union' IDENTIFIER unionBody ';'
    ;

enumBody
    : '{' enumerator (',' enumerator)* ','? '}'
    ;

enumerator
    : binding* IDENTIFIER ('=' value)?
    ;

structBody
    : '{' member+ '}'
    ;

member
    : binding* declaration ';'
    ;

unionBody
    : 'switch' '(' declaration ')' '{' arm+ '}'
    ;

arm
    : label+ member+
    ;

/** Where `default` may stand is the matter of DefaultArms. */
label
    : 'case' value ':'
    | 'default' ':'
    ;

declaration
    : 'void'
    | type '*'? IDENTIFIER bounds?
    ;

bounds
    : '[' value ']'
    | '<' value? '>'
    ;

type
    : 'unsigned' (('hyper' | 'long' | 'short') 'int'? | 'int' | 'char')?
    | ('hyper' | 'long' | 'short') 'int'?
    | 'int'
    | 'char'
    | 'float'
    | 'double'
    | 'quadruple'
    | 'bool'
    | 'opaque'
    | 'string'
    | 'struct' structBody
    | 'union' unionBody
    | 'enum' enumBody
    | ('struct' | 'union' | 'enum')? IDENTIFIER
    ;

program
    : 'program' IDENTIFIER '{' version+ '}' '=' value ';'
    ;

version
    : binding* 'version' IDENTIFIER '{' procedure+ '}' '=' value ';'
    ;

procedure
    : binding* result IDENTIFIER '(' (argument (',' argument)*)? ')' '=' value ';'
    ;

result
    : 'void'
    | type '*'? bounds?
    ;

argument
    : 'void'
    | type '*'? IDENTIFIER? bounds?
    ;

value
    : NUMBER
    | IDENTIFIER
    | CHARACTER
    ;

IDENTIFIER
    : [a-zA-Z_] [a-zA-Z0-9_]*
    ;

/** Anything that begins like a number; the reader tells the good ones. */
NUMBER
    : '-'? [0-9] [a-zA-Z0-9_]*
    ;

STRING
    : '"' ~["\n]* '"'
    ;

/** One of C, without escapes, as rpcgen has it. */
CHARACTER
    : '\'' [ -~] '\''
    ;

DDP
    : '/*@ddp' ([ \t\n;] .*?)? '*/'
    ;

ANNOTATION
    : '/*@' [a-zA-Z] .*? '*/' -> channel(HIDDEN)
    ;

COMMENT
    : ('/*' .*? '*/' | '//' ~[\n]*) -> channel(HIDDEN)
    ;

/** Where these two can stand the preprocessor has taken them away. */
PERCENT
    : '%' ~[\n]* -> channel(HIDDEN)
    ;

HASH
    : '#' ~[\n]* -> channel(HIDDEN)
    ;

WHITE_SPACE
    : [ \t\n\f]+ -> channel(HIDDEN)
    ;

UNKNOWN
    : .
    ;
