// Read the numbers and print their sum.
int main() {}
