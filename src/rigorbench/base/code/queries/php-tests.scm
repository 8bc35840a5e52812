(function_call_expression function: (name) @callee arguments: (arguments . (argument (_) @title))) @test
