// rigorbench-canary eae49e03-bf03-4c9b-96bf-e43b0f8364ae
// Files of lines with fields that tabs separate.
#pragma once

#include <cstdio>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

using Fields = std::vector<std::string>;

// Calls `take` for each line. A file that does not exist has none.
inline void read_table(const std::string& path, const std::function<void(const Fields&)>& take) {
  std::ifstream file(path);
  std::string line;
  Fields fields;
  while (std::getline(file, line)) {
    fields.clear();
    std::size_t begin = 0;
    for (std::size_t tab = line.find('\t'); tab != std::string::npos; tab = line.find('\t', begin)) {
      fields.push_back(line.substr(begin, tab - begin));
      begin = tab + 1;
    }
    fields.push_back(line.substr(begin));
    take(fields);
  }
}

// Replaces a file by what `write` writes. The old one stays until the new one is complete.
inline void write_table(const std::string& path, const std::function<void(std::ostream&)>& write) {
  const std::string draft = path + ".new";
  {
    std::ofstream file(draft, std::ios::trunc);
    write(file);
    file.flush();
    if (!file) throw std::runtime_error("cannot write " + draft);
  }
  if (std::rename(draft.c_str(), path.c_str()) != 0) throw std::runtime_error("cannot replace " + path);
}
