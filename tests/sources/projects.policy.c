description = "One wrong submission, one that does not compile, one that is right, and work that is never submitted."
[[turn]]
text = "First what there is."
[[turn.call]]
tool = "shell"
command = "ls; cat STATEMENT.md | head -3"
[[turn]]
[[turn.call]]
tool = "write"
path = "main.cpp"
content = "int main() {{ return 0; }}\n"
[[turn.call]]
tool = "shell"
command = "git add -A && git commit -qm 'Answer nothing' && {submit}"
[[turn]]
[[turn.call]]
tool = "write"
path = "main.cpp"
content = "this is no program\n"
[[turn.call]]
tool = "shell"
command = "git commit -qam 'Try something' && {submit}"
[[turn]]
[[turn.call]]
tool = "write"
path = "main.cpp"
content = '''{right}'''
[[turn.call]]
tool = "shell"
command = "git commit -qam 'Add the numbers' && {submit}; python3 {client} list; env | grep -c RIGOR_OJ"
[[turn]]
[[turn.call]]
tool = "write"
path = "later.txt"
content = "not submitted\n"
[[turn]]
text = "Submitted, and accepted."
