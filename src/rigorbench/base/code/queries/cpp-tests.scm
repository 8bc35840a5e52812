(function_definition declarator: (function_declarator declarator: (identifier) @callee
  parameters: (parameter_list) @title)) @test
