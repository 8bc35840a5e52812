(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name)) @function
(function_definition declarator: (pointer_declarator
  declarator: (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name))) @function
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (destructor_name) (operator_name) (qualified_identifier)] @name))) @function
(class_specifier name: (type_identifier) @name body: (_)) @class
(struct_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @type
(comment) @comment
