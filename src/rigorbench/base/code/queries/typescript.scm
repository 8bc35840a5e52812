(abstract_class_declaration name: (_) @name) @class
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @function
(interface_declaration name: (_) @name) @type
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @type
