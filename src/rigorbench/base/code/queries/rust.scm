(function_item name: (identifier) @name) @function
(macro_definition name: (identifier) @name) @function
(impl_item type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier name: (type_identifier) @name)]) @scope
(trait_item name: (type_identifier) @name) @type
(struct_item name: (type_identifier) @name) @type
(enum_item name: (type_identifier) @name) @type
(union_item name: (type_identifier) @name) @type
(line_comment) @comment
(block_comment) @comment
