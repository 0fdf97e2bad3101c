// A bridge program for a Blue Chip table: my_bot HOST PORT SEAT TEAM
//
// Fill in choose_call and choose_card; the rest is the protocol, as the manual describes it line by line.

#include <algorithm>
#include <array>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

// Cards are texts of rank and suit: "AS", "TH". Calls are those of the protocol without the seat: "passes", "bids 1NT".
using Card = std::string;
using Hand = std::vector<Card>;

const std::string RANKS = "23456789TJQKA";
const std::array<std::string, 4> SEATS = {"North", "East", "South", "West"};

int rank_of(const Card& card) { return static_cast<int>(RANKS.find(card[0])); }

// The player

std::string choose_call(const Hand& hand, const std::vector<std::string>& calls) {
    int points = 0;
    std::map<char, int> lengths;
    for (const Card& card : hand) {
        points += std::max(0, rank_of(card) - 8);
        ++lengths[card[1]];
    }
    bool nobody_has_bid = std::all_of(calls.begin(), calls.end(), [](const auto& call) { return call == "passes"; });
    if (points < 12 || !nobody_has_bid) return "passes";
    char longest = 'C';
    for (char suit : std::string("DHS"))
        if (lengths[suit] > lengths[longest]) longest = suit;
    return std::string("bids 1") + longest;
}

std::size_t find_winner(const Hand& trick, const std::string& strain) {
    auto strength = [&](const Card& card) {
        bool trump = strain.size() == 1 && card[1] == strain[0];
        return (trump ? 200 : 0) + (card[1] == trick[0][1] ? 100 : 0) + rank_of(card);
    };
    auto best = std::max_element(trick.begin(), trick.end(),
                                 [&](const Card& one, const Card& other) { return strength(one) < strength(other); });
    return static_cast<std::size_t>(best - trick.begin());
}

Card choose_card(const Hand& hand, const Hand& trick, const std::string& strain) {
    Hand legal;
    for (const Card& card : hand)
        if (!trick.empty() && card[1] == trick[0][1]) legal.push_back(card);
    if (legal.empty()) legal = hand;
    auto price = [&](const Card& card) {
        return (strain.size() == 1 && card[1] == strain[0] ? 100 : 0) + rank_of(card);
    };
    std::stable_sort(legal.begin(), legal.end(),
                     [&](const Card& one, const Card& other) { return price(one) < price(other); });
    for (const Card& card : legal) {
        Hand with = trick;
        with.push_back(card);
        if (find_winner(with, strain) == trick.size()) return card;
    }
    return legal.front();
}

// The table

struct Restart {};  // the table begins the board again

class Table {
  public:
    Table(const std::string& host, const std::string& port, std::string seat) : me(std::move(seat)) {
        addrinfo hints{};
        hints.ai_socktype = SOCK_STREAM;
        addrinfo* found = nullptr;
        if (int error = getaddrinfo(host.c_str(), port.c_str(), &hints, &found); error != 0)
            throw std::runtime_error(host + ": " + gai_strerror(error));
        for (addrinfo* each = found; each != nullptr; each = each->ai_next) {
            socket_ = ::socket(each->ai_family, each->ai_socktype, each->ai_protocol);
            if (socket_ >= 0 && ::connect(socket_, each->ai_addr, each->ai_addrlen) == 0) break;
            if (socket_ >= 0) ::close(socket_);
            socket_ = -1;
        }
        freeaddrinfo(found);
        if (socket_ < 0) throw std::runtime_error("cannot connect to " + host + " port " + port);
        int on = 1;  // a line leaves at once, and is not held back for the next
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }

    void say(const std::string& line) {
        std::string data = line + "\r\n";
        for (std::size_t sent = 0; sent < data.size();) {
            ssize_t count = ::send(socket_, data.data() + sent, data.size() - sent, 0);
            if (count <= 0) throw std::runtime_error("the connection broke");
            sent += static_cast<std::size_t>(count);
        }
    }

    std::string hear() {
        std::size_t end;
        while ((end = unread_.find('\n')) == std::string::npos) {
            char data[4096];
            ssize_t count = ::recv(socket_, data, sizeof data, 0);
            if (count <= 0) throw std::runtime_error("the table closed the connection");
            unread_.append(data, static_cast<std::size_t>(count));
        }
        std::string line = unread_.substr(0, end);
        unread_.erase(0, end + 1);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        if (line.rfind("Error", 0) == 0 || line.rfind("Illegal", 0) == 0) throw std::runtime_error(line);
        return line;
    }

    std::string ask(const std::string& what) {
        say(me + " ready " + what);
        return heard_in_board();
    }

    std::string heard_in_board() {
        std::string line = hear();
        if (line == "Start of board") throw Restart{};
        return line;
    }

    const std::string me;

  private:
    int socket_ = -1;
    std::string unread_;
};

std::string word(const std::string& line, int number) {
    std::istringstream words(line);
    std::string found;
    for (int place = 0; place <= number; ++place) words >> found;
    return found;
}

// North's cards : S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3.
Hand parse_hand(const std::string& line) {
    Hand hand;
    std::istringstream suits(line.substr(line.find(':') + 1));
    std::string text;
    for (int number = 0; number < 4 && std::getline(suits, text, '.'); ++number) {
        std::istringstream words(text);
        std::string suit, rank;
        words >> suit;
        while (words >> rank)
            if (rank != "-") hand.push_back(rank + suit);
    }
    return hand;
}

std::size_t seat_number(const std::string& title) {
    return static_cast<std::size_t>(std::find(SEATS.begin(), SEATS.end(), title) - SEATS.begin());
}

void play_board(Table& table) {
    std::string dealer = word(table.ask("for deal"), 4);  // Board number 7. Dealer South. Both vulnerable.
    dealer.pop_back();
    std::map<std::string, Hand> hands;
    hands[table.me] = parse_hand(table.ask("for cards"));
    std::vector<std::string> calls;
    std::map<std::string, std::string> declarers;
    std::string contract, strain;
    int passes = 0;
    for (std::size_t turn = seat_number(dealer); passes < (contract.empty() ? 4 : 3); ++turn) {
        const std::string& seat = SEATS[turn % 4];
        std::string call;
        if (seat == table.me) {
            call = choose_call(hands[table.me], calls);
            table.say(seat + " " + call);
        } else {
            call = table.ask("for " + seat + "'s bid");
            call = call.substr(0, call.find(" Alert."));
            call = call.substr(call.find(' ') + 1);
        }
        passes = call == "passes" ? passes + 1 : 0;
        if (call.rfind("bids", 0) == 0) {
            strain = call.substr(6);
            contract = std::to_string(turn % 2) + strain;
            declarers.emplace(contract, seat);
        }
        calls.push_back(call);
    }
    if (contract.empty()) return;  // passed out
    const std::string declarer = declarers[contract];
    const std::string dummy = SEATS[(seat_number(declarer) + 2) % 4];
    std::size_t leader = seat_number(declarer) + 1;
    for (int number = 1; number <= 13; ++number) {
        Hand trick;
        for (std::size_t place = 0; place < 4; ++place) {
            const std::string& seat = SEATS[(leader + place) % 4];
            if (number == 1 && place == 1 && table.me != dummy) hands[dummy] = parse_hand(table.ask("for dummy"));
            if (table.me == (seat == dummy ? declarer : seat)) {
                if (place == 0) table.heard_in_board();  // North to lead, Dummy to lead
                Hand& hand = hands[seat];
                Card card = choose_card(hand, trick, strain);
                hand.erase(std::find(hand.begin(), hand.end(), card));
                table.say(seat + " plays " + card);
                trick.push_back(card);
            } else {
                std::string whose = seat == dummy ? "dummy" : seat;
                trick.push_back(word(table.ask("for " + whose + "'s card to trick " + std::to_string(number)), 2));
            }
        }
        leader += find_winner(trick, strain);
    }
}

int main(int count, char** words) {
    if (count != 5) {
        std::cerr << "my_bot HOST PORT SEAT TEAM\n";
        return 2;
    }
    try {
        Table table(words[1], words[2], words[3]);
        table.say("Connecting \"" + std::string(words[4]) + "\" as " + table.me + " using protocol version 18");
        table.hear();  // North ("Alpha") seated
        table.ask("for teams");
        table.say(table.me + " ready to start");
        for (std::string line = table.hear(); line != "End of session"; line = table.hear()) {
            bool again = line == "Start of board";
            while (again) {
                try {
                    again = false;
                    play_board(table);
                } catch (const Restart&) {
                    again = true;
                }
            }
        }
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
