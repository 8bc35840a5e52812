(call method: (identifier) @callee arguments: (argument_list . (_) @title)? block: (_)) @test
