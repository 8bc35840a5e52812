#pragma once
// Stack<T> goes here.
