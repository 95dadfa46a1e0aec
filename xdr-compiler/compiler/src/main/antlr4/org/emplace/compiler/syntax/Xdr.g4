// SPDX-License-Identifier: Apache-2.0

/**
 * XDR (RFC 4506 section 6.3), the RPC language (RFC 5531 section 12), and extensions of other compilers. The grammar accepts a little more than the
 * language where that lets the compiler report an error precisely.
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
    : definition    # itemToBuild
    | namespace     # itemOfNamespace
    | pragma        # itemToIgnore
    ;

/** Clauses of the Upper Layer Binding are comments here. BindingPlaces finds what they precede, and Ulb.g4 parses their content. */
definition
    : defined    # bound
    | program    # unbound
    ;

/** An extension of xdrpp. */
namespace
    : NAMESPACE IDENTIFIER '{' item* '}' ';'?
    ;

/** An extension of the Linux kernel's xdrgen. */
pragma
    : PRAGMA IDENTIFIER+ ';'
    ;

defined
    : 'const' IDENTIFIER '=' constantValue ';'    # constant
    | 'typedef' declaration ';'                   # typeAlias
    | 'enum' IDENTIFIER enumBody ';'              # enumeration
    | 'struct' IDENTIFIER structBody ';'          # structure
    | 'union' IDENTIFIER unionBody ';'            # union
    ;

constantValue
    : value     # plainConstant
    | STRING    # stringConstant
    ;

enumBody
    : '{' enumerator (',' enumerator)* trailing=','? '}'
    ;

enumerator
    : IDENTIFIER ('=' value)?
    ;

structBody
    : '{' member+ '}'
    ;

member
    : declaration ';'
    ;

unionBody
    : 'switch' '(' declaration ')' '{' arm+ '}'
    ;

arm
    : label+ member+
    ;

/** DefaultArms checks the position of `default`. */
label
    : 'case' value ':'    # caseLabel
    | 'default' ':'       # defaultLabel
    ;

declaration
    : 'void'                                # voidDeclaration
    | type pointer='*'? IDENTIFIER bounds?  # typedDeclaration
    ;

bounds
    : '[' value ']'     # fixedBounds
    | '<' value? '>'    # variableBounds
    ;

type
    : 'unsigned' integer?                                                  # unsignedInteger
    | integer                                                              # signedInteger
    | word=('float' | 'double' | 'quadruple' | 'bool' | 'opaque' | 'string')    # builtin
    | 'struct' structBody                                                  # structHere
    | 'union' unionBody                                                    # unionHere
    | 'enum' enumBody                                                      # enumHere
    | tag=('struct' | 'union' | 'enum')? qualified                         # reference
    ;

/** A name, in xdrpp with the namespaces around its definition. */
qualified
    : '::'? (IDENTIFIER '::')* name=IDENTIFIER
    ;

integer
    : 'int'                        # plainInteger
    | 'hyper' ofC='int'?           # hyper
    | ('long' | 'short') 'int'?    # integerOfC
    | 'char'                       # integerOfC
    ;

program
    : 'program' IDENTIFIER '{' version+ '}' '=' value ';'
    ;

version
    : 'version' IDENTIFIER '{' procedure+ '}' '=' value ';'
    ;

procedure
    : result IDENTIFIER '(' (argument (',' argument)*)? ')' '=' value ';'
    ;

result
    : 'void'                    # voidResult
    | type pointer='*'? bounds? # typedResult
    ;

argument
    : 'void'                                  # voidArgument
    | type pointer='*'? IDENTIFIER? bounds?   # typedArgument
    ;

value
    : NUMBER        # number
    | qualified     # named
    | CHARACTER     # character
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

COMMA
    : ','
    ;

QUALIFIER
    : '::'
    ;

LONG
    : 'long'
    ;

CHAR
    : 'char'
    ;

FLOAT
    : 'float'
    ;

DOUBLE
    : 'double'
    ;

QUADRUPLE
    : 'quadruple'
    ;

BOOL
    : 'bool'
    ;

OPAQUE
    : 'opaque'
    ;

STRING_TYPE
    : 'string'
    ;

STRUCT
    : 'struct'
    ;

UNION
    : 'union'
    ;

ENUM
    : 'enum'
    ;

IDENTIFIER
    : [a-zA-Z_] [a-zA-Z0-9_]*
    ;

/** Anything that begins like a number. The reader checks it. */
NUMBER
    : '-'? [0-9] [a-zA-Z0-9_]*
    ;

STRING
    : '"' ~["\n]* '"'
    ;

/** A character constant of C, without escapes, as in rpcgen. */
CHARACTER
    : '\'' [ -~] '\''
    ;

DDP
    : '/*@ddp' ([ \t\n;] .*?)? '*/' -> channel(HIDDEN)
    ;

ANNOTATION
    : '/*@' [a-zA-Z] .*? '*/' -> channel(HIDDEN)
    ;

COMMENT
    : ('/*' .*? '*/' | '//' ~[\n]*) -> channel(HIDDEN)
    ;

/** The preprocessor has removed these two from all valid places. */
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
