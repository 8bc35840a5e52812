// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
#include "ferries/fleet.hpp"

#include "base/words.hpp"

namespace ferries {

Fleet::Fleet(PageCache& cache, Table<std::uint32_t>& counters)
    : table_(cache, "lines.table"),
      port_table_(cache, "ports.table"),
      count_(counters, Counted::lines),
      port_count_(counters, Counted::ports) {
  for (std::uint32_t number = 0; number < port_count_.value(); ++number) {
    add_port(port_table_.get(number).view(), number);
  }
  for (std::uint32_t number = 0; number < count_.value(); ++number) {
    lines_.add(table_.get(number));
    if (lines_[number].stage == Stage::none) {
      scrapped_.add(number);
    } else {
      names_.add(lines_[number].name.view(), number);
    }
    if (lines_[number].stage == Stage::launched) add_calls(number);
  }
}

Fleet::~Fleet() {
  for (const List<Call>* calls : calls_) delete calls;
}

void Fleet::draft(const Words& words) {
  Line line;
  line.name = Text<16>(words[1]);
  line.stage = Stage::draft;
  line.berths = static_cast<std::uint16_t>(number(words[2]));
  line.first_day = static_cast<std::uint8_t>(number(words[3]));
  line.last_day = static_cast<std::uint8_t>(number(words[4]));
  line.departure[0] = static_cast<std::uint16_t>(minutes(words[5]));
  Parts ports(words[6], ','), prices(words[7], ','), sail(words[8], ','), stay(words[9], ',');
  line.port[0] = static_cast<std::uint16_t>(port_to_serve(ports.next()));
  std::uint32_t place = 1;
  for (; !ports.done(); ++place) {
    line.port[place] = static_cast<std::uint16_t>(port_to_serve(ports.next()));
    line.price[place] = line.price[place - 1] + number(prices.next());
    line.arrival[place] = static_cast<std::uint16_t>(line.departure[place - 1] + number(sail.next()));
    const std::uint32_t rest = ports.done() ? 0 : number(stay.next());
    line.departure[place] = static_cast<std::uint16_t>(line.arrival[place] + rest);
  }
  line.ports = static_cast<std::uint8_t>(place);
  const std::uint32_t free = free_number();
  lines_[free] = line;
  names_.add(words[1], free);
  store(free);
}

void Fleet::scrap(std::uint32_t line) {
  names_.remove(lines_[line].name.view());
  lines_[line].stage = Stage::none;
  scrapped_.add(line);
  store(line);
}

void Fleet::launch(std::uint32_t line) {
  lines_[line].stage = Stage::launched;
  add_calls(line);
  store(line);
}

void Fleet::cancel(std::uint32_t line, std::uint32_t day) {
  lines_[line].cancelled[day / 64] |= std::uint64_t{1} << day % 64;
  store(line);
}

std::uint32_t Fleet::port_to_serve(std::string_view name) {
  if (const auto known = ports_.find(name)) return *known;
  const std::uint32_t number = port_count_.next();
  port_table_.put(number, PortName(name));
  add_port(name, number);
  return number;
}

void Fleet::add_port(std::string_view name, std::uint32_t number) {
  ports_.add(name, number);
  calls_.add(new List<Call>());
}

void Fleet::add_calls(std::uint32_t line) {
  for (std::uint32_t place = 0; place < lines_[line].ports; ++place) {
    calls_[lines_[line].port[place]]->add({static_cast<std::uint16_t>(line), static_cast<std::uint8_t>(place)});
  }
}

// A number that a scrapped line left, else a new one. A draft has no sailings, so nothing else is left of it.
std::uint32_t Fleet::free_number() {
  if (scrapped_.size() == 0) {
    lines_.add(Line());
    return count_.next();
  }
  const std::uint32_t number = scrapped_[scrapped_.size() - 1];
  scrapped_.resize(scrapped_.size() - 1);
  return number;
}

}  // namespace ferries
