(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(comment) @comment
(module . (expression_statement (string) @comment))
(block . (expression_statement (string) @comment))
