(call_expression function: [
   (identifier) @callee
   (member_expression) @callee
   (call_expression function: (member_expression) @callee)]
  arguments: (arguments . [(string) (template_string) (identifier) (binary_expression)] @title)) @test
