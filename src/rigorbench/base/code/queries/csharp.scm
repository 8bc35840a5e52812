(method_declaration name: (identifier) @name) @function
(local_function_statement name: (identifier) @name) @function
(constructor_declaration name: (identifier) @name) @function
(class_declaration name: (identifier) @name) @class
(struct_declaration name: (identifier) @name) @class
(record_declaration name: (identifier) @name) @class
(interface_declaration name: (identifier) @name) @type
(enum_declaration name: (identifier) @name) @type
(comment) @comment
