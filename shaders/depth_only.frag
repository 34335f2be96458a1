// Of what is drawn for its depth alone.
void main() {}
