// rigorbench-canary 5371e1d0-6a9b-4fbf-af89-0bc6e4a18505
#include "ferries/commands.hpp"

namespace ferries {
namespace {

std::string_view name_of(State state) {
  switch (state) {
    case State::booked: return "booked";
    case State::waiting: return "waiting";
    case State::refunded: return "refunded";
    case State::cancelled: return "cancelled";
    case State::none: break;
  }
  return "none";
}

Order order_of(std::string_view word) { return word == "price" ? Order::price : Order::time; }

}  // namespace

const Commands::Entry Commands::kEntries[] = {
    {"enter", &Commands::enter, false, false},     {"search", &Commands::search, false, false},
    {"change", &Commands::change, false, false},   {"show", &Commands::show, false, false},
    {"leave", &Commands::leave, true, false},      {"enrol", &Commands::enrol, true, false},
    {"profile", &Commands::profile, true, false},  {"alter", &Commands::alter, true, false},
    {"book", &Commands::book, true, false},        {"bookings", &Commands::list, true, false},
    {"refund", &Commands::refund, true, false},    {"draft", &Commands::draft, true, true},
    {"scrap", &Commands::scrap, true, true},       {"launch", &Commands::launch, true, true},
    {"cancel", &Commands::cancel, true, true},     {"manifest", &Commands::manifest, true, true},
};

void Commands::answer(const Words& words) {
  for (const Entry& entry : kEntries) {
    if (entry.name != words[0]) continue;
    const auto actor = entry.account ? accounts_.present(words.actor()) : std::optional<std::uint32_t>(0);
    const bool allowed = actor && (!entry.staff || accounts_.staff(*actor));
    if (!allowed || !(this->*entry.handler)(*actor, words)) out_ << "refused\n";
    return;
  }
  out_ << "refused\n";
}

// -- accounts
bool Commands::enter(std::uint32_t, const Words& words) { return accounts_.enter(words[1], words[2]) && done(); }

bool Commands::leave(std::uint32_t actor, const Words&) {
  accounts_.leave(actor);
  return done();
}

bool Commands::enrol(std::uint32_t actor, const Words& words) {
  return accounts_.enrol(actor, words[1], {words[2], words[3], number(words[4])}) && done();
}

bool Commands::profile(std::uint32_t actor, const Words& words) {
  const auto account = accounts_.profile(actor, words[1]);
  if (!account) return false;
  tell(*account);
  return true;
}

bool Commands::alter(std::uint32_t actor, const Words& words) {
  Changes changes;
  for (std::size_t place = 2; place < words.size(); ++place) {
    Parts parts(words[place], '=');
    const std::string_view field = parts.next(), value = parts.next();
    if (field == "password") changes.password = value;
    if (field == "name") changes.name = value;
    if (field == "rank") changes.rank = number(value);
  }
  const auto account = accounts_.alter(actor, words[1], changes);
  if (!account) return false;
  tell(*account);
  return true;
}

// -- lines
bool Commands::draft(std::uint32_t, const Words& words) {
  if (fleet_.find(words[1])) return false;
  fleet_.draft(words);
  return done();
}

bool Commands::scrap(std::uint32_t, const Words& words) {
  const auto line = line_at(words[1], Stage::draft);
  if (!line) return false;
  fleet_.scrap(*line);
  return done();
}

bool Commands::launch(std::uint32_t, const Words& words) {
  const auto line = line_at(words[1], Stage::draft);
  if (!line) return false;
  fleet_.launch(*line);
  return done();
}

bool Commands::show(std::uint32_t, const Words& words) {
  const auto line = fleet_.find(words[1]);
  const std::uint32_t day = number(words[2]);
  if (!line || !fleet_[*line].sails(day)) return false;
  const Line& shown = fleet_[*line];
  out_ << shown.name.view() << ' ' << std::uint32_t{shown.berths}
       << (shown.stage == Stage::launched ? " launched\n" : " draft\n");
  for (std::uint32_t place = 0; place < shown.ports; ++place) tell_port(*line, day, place);
  return true;
}

bool Commands::cancel(std::uint32_t, const Words& words) {
  const auto line = sailing_line(words);
  if (!line) return false;
  const std::uint32_t day = number(words[2]);
  out_ << "cancelled " << bookings_.cancel(*line, day) << '\n';
  fleet_.cancel(*line, day);
  return true;
}

bool Commands::manifest(std::uint32_t, const Words& words) {
  const auto line = sailing_line(words);
  if (!line) return false;
  const std::uint32_t first = bookings_.first_of(*line, number(words[2]));
  std::uint32_t count = 0;
  std::uint64_t income = 0;
  for (std::uint32_t number = first; number != 0; ++count) {
    const Booking booking = bookings_.get(number);
    if (booking.state == State::booked) income += bookings_.price(booking);
    number = booking.after;
  }
  out_ << "manifest " << count << ' ' << income << '\n';
  const Line& shown = fleet_[*line];
  for (std::uint32_t number = first; number != 0;) {
    const Booking booking = bookings_.get(number);
    out_ << number << ' ' << name_of(booking.state) << ' ' << accounts_.get(booking.account).id.view() << ' '
         << fleet_.port_name(shown.port[booking.first]) << ' ' << fleet_.port_name(shown.port[booking.last]) << ' '
         << std::uint32_t{booking.berths} << ' ' << bookings_.price(booking) << '\n';
    number = booking.after;
  }
  return true;
}

// -- finding
bool Commands::search(std::uint32_t, const Words& words) {
  const List<Voyage> found = connections_.direct(words[1], words[2], number(words[3]), order_of(words[4]));
  out_ << "found " << std::uint64_t{found.size()} << '\n';
  for (const Voyage& part : found) tell(part);
  return true;
}

bool Commands::change(std::uint32_t, const Words& words) {
  const auto found = connections_.with_change(words[1], words[2], number(words[3]), order_of(words[4]));
  if (!found) {
    out_ << "none\n";
    return true;
  }
  const std::uint32_t via = fleet_[found->one.line].port[found->one.last];
  out_ << "via " << fleet_.port_name(via) << ' ' << found->price << ' ' << found->duration << '\n';
  tell(found->one);
  tell(found->two);
  return true;
}

// -- bookings
bool Commands::book(std::uint32_t actor, const Words& words) {
  const auto booked = voyage(words);
  const std::uint32_t berths = number(words[5]);
  if (!booked || berths > fleet_[booked->line].berths) return false;
  const auto made = bookings_.book(actor, *booked, berths, words[6] == "wait");
  if (!made) return false;
  out_ << name_of(made->booking.state) << ' ' << made->number << ' ' << bookings_.price(made->booking) << '\n';
  return true;
}

bool Commands::list(std::uint32_t actor, const Words& words) {
  const std::uint32_t newest = accounts_.get(actor).newest_booking, most = number(words[1]);
  std::uint32_t count = 0;
  for (std::uint32_t link = newest; link != 0 && count < most; link = bookings_.get(link).older) ++count;
  out_ << "bookings " << count << '\n';
  for (std::uint32_t link = newest; count > 0; --count) {
    const Booking booking = bookings_.get(link);
    tell_booking(link, booking);
    link = booking.older;
  }
  return true;
}

bool Commands::refund(std::uint32_t actor, const Words& words) {
  const auto refund = bookings_.refund(actor, number(words[1]));
  if (!refund) return false;
  out_ << "refunded " << refund->price << ' ' << refund->served << '\n';
  return true;
}

// -- parts of commands and answers
bool Commands::done() {
  out_ << "ok\n";
  return true;
}

std::optional<std::uint32_t> Commands::line_at(std::string_view name, Stage stage) const {
  const auto line = fleet_.find(name);
  return line && fleet_[*line].stage == stage ? line : std::nullopt;
}

// The launched line of a command that has a line and the day of a sailing, if it sails.
std::optional<std::uint32_t> Commands::sailing_line(const Words& words) const {
  const auto line = line_at(words[1], Stage::launched);
  return line && fleet_[*line].sails(number(words[2])) ? line : std::nullopt;
}

// What `book` asks for; its day is that on which the ferry leaves the first of the two ports.
std::optional<Voyage> Commands::voyage(const Words& words) const {
  const auto line = line_at(words[1], Stage::launched);
  const auto from = fleet_.port(words[3]), to = fleet_.port(words[4]);
  if (!line || !from || !to) return std::nullopt;
  const auto first = fleet_[*line].place_of(*from), last = fleet_[*line].place_of(*to);
  if (!first || !last || *first >= *last) return std::nullopt;
  const auto day = fleet_[*line].sailing_that_leaves(*first, number(words[2]));
  if (!day) return std::nullopt;
  return Voyage{*line, *day, *first, *last};
}

void Commands::tell(const Account& account) {
  out_ << account.id.view() << ' ' << account.name.view() << ' ' << std::uint32_t{account.rank} << '\n';
}

void Commands::tell(const Voyage& part) {
  const Line& line = fleet_[part.line];
  const std::uint32_t start = part.day * kDayMinutes;
  out_ << line.name.view() << ' ' << Moment{start + line.departure[part.first]} << ' '
       << Moment{start + line.arrival[part.last]} << ' ' << line.price[part.last] - line.price[part.first] << ' '
       << bookings_.free(part) << '\n';
}

void Commands::tell_booking(std::uint32_t number, const Booking& booking) {
  const Line& line = fleet_[booking.line];
  const std::uint32_t start = booking.day * kDayMinutes;
  out_ << number << ' ' << name_of(booking.state) << ' ' << line.name.view() << ' '
       << fleet_.port_name(line.port[booking.first]) << ' ' << Moment{start + line.departure[booking.first]} << ' '
       << fleet_.port_name(line.port[booking.last]) << ' ' << Moment{start + line.arrival[booking.last]} << ' '
       << std::uint32_t{booking.berths} << ' ' << bookings_.price(booking) << '\n';
}

void Commands::tell_port(std::uint32_t line, std::uint32_t day, std::uint32_t place) {
  const Line& shown = fleet_[line];
  const std::uint32_t start = day * kDayMinutes;
  out_ << fleet_.port_name(shown.port[place]) << ' ';
  if (place == 0) {
    out_ << "- ";
  } else {
    out_ << Moment{start + shown.arrival[place]} << ' ';
  }
  if (place + 1 == shown.ports) {
    out_ << "- " << shown.price[place] << " -\n";
    return;
  }
  out_ << Moment{start + shown.departure[place]} << ' ' << shown.price[place] << ' '
       << bookings_.free({line, day, place, place + 1}) << '\n';
}

}  // namespace ferries
