/* Lets the bots learn: writes the weights of their judgement to standard output, as the files beside judgement.py hold them.
 *
 *   g++ -std=c++17 -O3 -march=native -ffast-math -o bot_school bot_school.cpp
 *   bot_school learn advanced LESSONS SEED > advanced.txt
 *   bot_school exploit advanced LESSONS SEED < advanced.txt > against_advanced.txt
 *   bot_school show advanced ROUNDS SEED
 *
 * `learn`: from nothing, by rounds against itself, many in a lesson. Both players choose by the slow mean of what was
 * learned, each turn the likelier the better (Hedge), and every position left behind is judged again by what came of it.
 * The same options write the same weights on the same processor and compiler. `exploit`: the same against players of
 * these weights, who learn nothing; on the error stream, what the learner then wins of 20,000 rounds against them, with
 * 95 % limits by pairs: a lower bound of what can be won of them. `show` prints rounds at random, by which the tests
 * hold these rules and features against the referee's and the judgement's: a line of the deck, a line of each turn (how
 * many choices there are, parry, move, attack, and the features of the position left behind), a line of what who began won.
 */
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

namespace {

using Counts = uint32_t; /* cards of the values 1 to 5, three bits each */

constexpr int APART = 22, HAND = 5, VALUES = 5, PILE = 15, MOST = 32, SITUATIONS = 21, UNITS = 64, FEATURES = 16;

struct Random {
    uint64_t state;
    uint64_t next() {
        uint64_t mixed = state += 0x9E3779B97F4A7C15u;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        return mixed ^ (mixed >> 31);
    }
    int below(int limit) { return static_cast<int>((next() >> 32) * static_cast<uint64_t>(limit) >> 32); }
    float share() { return static_cast<float>(next() >> 40) * 0x1p-24f; }
    float normal() {
        float radius = std::sqrt(-2 * std::log(share() + 1e-9f));
        return radius * std::cos(6.2831853f * share());
    }
};

/* The rules, by values. */

struct Rules {
    const char *name;
    bool indirect, compare_after_final_retreat;
};
constexpr Rules RULES[] = {{"classic", false, true}, {"advanced", true, true}, {"brettspielnetz", true, false}};

Counts one(int value) { return 1u << 3 * (value - 1); }
int held(Counts cards, int value) { return value <= VALUES ? cards >> 3 * (value - 1) & 7 : 0; }
int size_of(Counts cards) {
    int total = 0;
    for (int value = 1; value <= VALUES; value++) total += held(cards, value);
    return total;
}

struct Stand { /* as the player to act sees it; attack: its cards, and HAND more for an indirect one */
    Counts hand;
    int distance, gained, attack, pile;
};

struct Option {
    int parry, move, cards, attack;
    Counts left;
};

int actions(const Rules &rules, Counts hand, const Stand &stand, int parry, Option *found) {
    int count = 0, room = std::min(stand.gained, HAND);
    for (int value = 1; value <= VALUES; value++) {
        int there = held(hand, value), rest = stand.distance - value;
        if (!there) continue;
        if (rest > 0) {
            found[count++] = {parry, value, 0, 0, hand - one(value)};
            int most = rules.indirect && rest <= VALUES ? held(hand, rest) - (rest == value) : 0;
            for (int cards = 1; cards <= most; cards++)
                found[count++] = {parry, value, cards, HAND + cards, hand - one(value) - cards * one(rest)};
        } else if (rest == 0) {
            for (int cards = 1; cards <= there; cards++)
                found[count++] = {parry, 0, cards, cards, hand - cards * one(value)};
        }
        if (value <= room) found[count++] = {parry, -value, 0, 0, hand - one(value)};
    }
    return count;
}

int options(const Rules &rules, const Stand &stand, Option *found) {
    if (!stand.attack) return actions(rules, stand.hand, stand, 0, found);
    int count = 0, cards = stand.attack > HAND ? stand.attack - HAND : stand.attack;
    for (int value = 1; stand.attack > HAND && value <= std::min(stand.gained, HAND); value++)
        if (held(stand.hand, value)) found[count++] = {0, -value, 0, 0, stand.hand - one(value)};
    if (held(stand.hand, stand.distance) < cards) return count;
    Counts rest = stand.hand - cards * one(stand.distance);
    if (stand.pile) return count + actions(rules, rest, stand, cards, found + count);
    found[count++] = {cards, 0, 0, 0, rest};
    return count;
}

/* The end of the pile, for the player with `own`: 1 won, 0.5 drawn, 0 lost. */
float compared(const Rules &rules, Counts own, Counts other, int distance, int gained, bool final_retreat) {
    if (rules.compare_after_final_retreat || !final_retreat) {
        int more = held(own, distance) - held(other, distance);
        if (more) return more > 0 ? 1 : 0;
    }
    int further = 2 * gained - (APART - distance);
    return further > 0 ? 1.0f : further < 0 ? 0.0f : 0.5f;
}

float last_defence(const Rules &rules, const Stand &stand, Counts other) {
    Option found[MOST];
    float best = 0;
    for (int place = options(rules, stand, found) - 1; place >= 0; place--) {
        const Option &option = found[place];
        int move = option.move;
        best = std::max(best,
            compared(rules, option.left, other, stand.distance - move, stand.gained + move, move < 0));
    }
    return best;
}

struct Table { /* a round under way */
    const Rules &rules;
    std::array<int, 25> deck;
    int next = 2 * HAND, side = 0, distance = APART, attack = 0, pile = PILE;
    int gained[2] = {0, 0};
    Counts hands[2] = {0, 0}, unplayed = 0;

    Table(const Rules &rules, Random &random) : rules(rules) {
        for (int place = 0; place < 25; place++) deck[place] = place / 5 + 1;
        for (int place = 24; place > 0; place--) std::swap(deck[place], deck[random.below(place + 1)]);
        for (int place = 0; place < 25; place++) unplayed += one(deck[place]);
        for (int place = 0; place < 2 * HAND; place++) hands[place / HAND] += one(deck[place]);
    }
    Stand stand() const { return {hands[side], distance, gained[side], attack, pile}; }
    Counts unseen() const { return unplayed - hands[side]; }
    float for_first(float won) const { return side == 0 ? won : 1 - won; }

    /* Makes the turn and draws. What who began won where the round is over, else -1. */
    float turned(const Option &option) {
        Counts &hand = hands[side];
        bool final = pile == 0;
        unplayed -= hand - option.left;
        hand = option.left;
        distance -= option.move;
        gained[side] += option.move;
        for (; pile && size_of(hand) < HAND; pile--) hand += one(deck[next++]);
        attack = option.attack;
        if (pile == 0 && !attack)
            return for_first(compared(
                rules, hand, hands[1 - side], distance, gained[side], final && option.move < 0));
        side = 1 - side;
        return -1;
    }
};

/* Features: the rows of engine/players/bots/judgement.py. */

constexpr int FAR = 11, COUNTS = HAND + 1, STAGES = 7, MOST_LEAD = 7;
constexpr int LEFT = 0, UNSEEN = LEFT + SITUATIONS * VALUES * COUNTS, STRIKE = UNSEEN + SITUATIONS * VALUES * COUNTS,
              REACH = STRIKE + (2 * HAND + 1) * COUNTS, BETWEEN = REACH + HAND * COUNTS * COUNTS,
              GAINED = BETWEEN + APART + 1, THEIRS = GAINED + APART + 1, DRAWS = THEIRS + APART + 1,
              LEAD = DRAWS + PILE + 1, NONE = LEAD + STAGES * (2 * MOST_LEAD + 1), ROWS = NONE + 1;

using Rows = std::array<int16_t, FEATURES>;

inline __attribute__((always_inline)) Rows rows_of(const Option &option, const Stand &stand, Counts unseen) {
    Rows rows;
    int distance = stand.distance - option.move, gained = stand.gained + option.move, attack = option.attack;
    int pile = std::max(0, stand.pile - (HAND - size_of(option.left))), theirs = APART - distance - gained, count = 0;
    int situation = attack ? FAR + (attack > HAND ? HAND : 0) + distance - 1 : std::min(distance, FAR) - 1;
    for (int value = 1; value <= VALUES; value++) {
        int place = (situation * VALUES + value - 1) * COUNTS;
        rows[count++] = static_cast<int16_t>(LEFT + place + held(option.left, value));
        rows[count++] = static_cast<int16_t>(UNSEEN + place + held(unseen, value));
    }
    int there = held(unseen, distance), kept = held(option.left, distance);
    int lead = std::max(-MOST_LEAD, std::min(MOST_LEAD, gained - theirs)) + MOST_LEAD;
    int meeting = attack ? STRIKE + attack * COUNTS + there
        : distance <= HAND ? REACH + ((distance - 1) * COUNTS + kept) * COUNTS + there : NONE;
    int last[] = {meeting, BETWEEN + distance, GAINED + gained, THEIRS + theirs, DRAWS + pile,
        LEAD + std::min(pile, STAGES - 1) * (2 * MOST_LEAD + 1) + lead};
    for (int row : last) rows[count++] = static_cast<int16_t>(row);
    return rows;
}

/* The network: what each feature says straight away (`odds`), and what it says to each unit. */

constexpr int HALF = UNITS / 2, WIDTH = UNITS + 1, SIZE = ROWS * WIDTH;

struct Weights { /* the units of all rows, then the odds */
    std::vector<float> all = std::vector<float>(SIZE);
    float *units(int row) { return &all[row * UNITS]; }
    float &odds(int row) { return all[ROWS * UNITS + row]; }
};

using Lanes __attribute__((vector_size(2 * HALF))) = int16_t;

class Quick { /* the mean, rounded, to choose by */
    std::vector<std::array<Lanes, 2>> units_ = std::vector<std::array<Lanes, 2>>(ROWS);
    std::vector<float> odds_ = std::vector<float>(ROWS);
    static constexpr float UNIT = 512;

public:
    void take(Weights &weights) {
        for (int row = 0; row < ROWS; row++) {
            for (int unit = 0; unit < UNITS; unit++)
                units_[row][unit / HALF][unit % HALF] =
                    static_cast<int16_t>(std::lrint(UNIT * weights.units(row)[unit]));
            odds_[row] = weights.odds(row);
        }
    }
    float logit(const Rows &rows) const {
        Lanes own = units_[rows[0]][0], other = units_[rows[0]][1];
        float odds = odds_[rows[0]];
        for (int place = 1; place < FEATURES; place++) {
            own += units_[rows[place]][0];
            other += units_[rows[place]][1];
            odds += odds_[rows[place]];
        }
        Lanes said = (own & (own > 0)) - (other & (other > 0));
        int sum = 0;
        for (int lane = 0; lane < HALF; lane++) sum += said[lane];
        return odds + static_cast<float>(sum) / UNIT;
    }
};

float chance(float logit) { return 1 / (1 + std::exp(-std::max(-30.0f, std::min(30.0f, logit)))); }

struct Position { /* left behind by a player, and what it should have been worth */
    Rows rows;
    float target;
};

class Learner { /* Adam, and the slow mean of the weights */
    Weights weights_, slope_, square_, gradient_;
    int steps_ = 0;

public:
    Weights mean;

    explicit Learner(Random &random) {
        for (int row = 0; row < ROWS; row++)
            for (int unit = 0; unit < UNITS; unit++)
                if (row != NONE) weights_.units(row)[unit] = 0.1f * random.normal();
        mean = weights_;
    }

    void begin(const Weights &known) { weights_ = mean = known; }

    void step(const Position *positions, int count, float pace, float patience) {
        std::fill(gradient_.all.begin(), gradient_.all.end(), 0.0f);
        for (int number = 0; number < count; number++) felt(positions[number], 1.0f / static_cast<float>(count));
        std::fill(gradient_.units(NONE), gradient_.units(NONE) + UNITS, 0.0f);
        gradient_.odds(NONE) = 0;
        steps_++;
        float fast = 1 / (1 - std::pow(0.9f, static_cast<float>(steps_)));
        float slow = 1 / (1 - std::pow(0.999f, static_cast<float>(steps_)));
        float share = std::max(1 / patience, 1 / static_cast<float>(steps_));
        for (int place = 0; place < SIZE; place++) {
            float each = gradient_.all[place];
            slope_.all[place] = 0.9f * slope_.all[place] + 0.1f * each;
            square_.all[place] = 0.999f * square_.all[place] + 0.001f * each * each;
            weights_.all[place] -= pace * slope_.all[place] * fast / (std::sqrt(square_.all[place] * slow) + 1e-8f);
            mean.all[place] += share * (weights_.all[place] - mean.all[place]);
        }
    }

private:
    void felt(const Position &position, float weight) {
        float sums[UNITS] = {}, odds = 0;
        for (int row : position.rows) {
            for (int unit = 0; unit < UNITS; unit++) sums[unit] += weights_.units(row)[unit];
            odds += weights_.odds(row);
        }
        float said = 0;
        for (int unit = 0; unit < HALF; unit++) said += std::max(sums[unit], 0.0f) - std::max(sums[unit + HALF], 0.0f);
        float error = weight * (chance(odds + said) - position.target);
        for (int unit = 0; unit < UNITS; unit++)
            sums[unit] = sums[unit] > 0 ? (unit < HALF ? error : -error) : 0;
        for (int row : position.rows) {
            for (int unit = 0; unit < UNITS; unit++) gradient_.units(row)[unit] += sums[unit];
            gradient_.odds(row) += error;
        }
    }
};

struct Mood { /* the chance of each turn falls by e with so much worse odds; and the chance of a turn that is tried at random */
    float spread, whim;
};
constexpr float TRUST = 0.8f, PATIENCE = 2000, SHORT_PATIENCE = 300;
constexpr Mood SURE{0.001f, 0};
constexpr int ROUNDS = 1024, PARTS = 4, DEALS = 10000;

struct Made { /* a turn of a round: the position left behind, whose, what the stand before was worth */
    Rows rows;
    int side;
    float worth;
    bool whim;
};

Made chosen(const Quick &mind, const Table &table, const Option *found, int count, Mood mood, Random &random, int &pick) {
    Stand stand = table.stand();
    Counts unseen = table.unseen();
    Rows rows[MOST];
    float logits[MOST], odds[MOST], best = -1e9f, total = 0, worth = 0;
    for (int place = 0; place < count; place++) {
        rows[place] = rows_of(found[place], stand, unseen);
        logits[place] = mind.logit(rows[place]);
        best = std::max(best, logits[place]);
    }
    for (int place = 0; place < count; place++) {
        odds[place] = std::exp((logits[place] - best) / mood.spread);
        total += odds[place];
        worth += odds[place] * chance(logits[place]);
    }
    bool whim = random.share() < mood.whim;
    float luck = random.share() * total;
    pick = whim ? random.below(count) : 0;
    while (!whim && pick < count - 1 && (luck -= odds[pick]) >= 0) pick++;
    return {rows[pick], table.side, worth / total, whim};
}

struct Player {
    const Quick &mind;
    Mood mood;
    bool learns;
};

/* Plays a round; the positions left behind by those who learn. What who began won. */
float play(const Rules &rules, const Player *players, Random &random, std::vector<Position> &positions) {
    Table table(rules, random);
    std::vector<Made> turns;
    Option found[MOST];
    float first = -1;
    while (first < 0) {
        int count = options(rules, table.stand(), found), pick = 0;
        if (!count)
            first = table.for_first(0);
        else if (!table.pile)
            first = table.for_first(last_defence(rules, table.stand(), table.hands[1 - table.side]));
        else {
            const Player &player = players[table.side];
            turns.push_back(chosen(player.mind, table, found, count, player.mood, random, pick));
            first = table.turned(found[pick]);
        }
    }
    float later[] = {first, 1 - first};
    for (size_t place = turns.size(); place-- > 0;) {
        const Made &turn = turns[place];
        if (!players[turn.side].learns) continue;
        float believed = turn.whim ? 0 : TRUST;
        positions.push_back({turn.rows, later[turn.side]});
        later[turn.side] = believed * later[turn.side] + (1 - believed) * turn.worth;
    }
    return first;
}

/* The weights as text, two digits each. */
struct Digits {
    std::string signs;
    Digits() {
        for (char sign = '#'; sign <= '~'; sign++)
            if (sign != '\\') signs += sign;
    }
    int count() const { return static_cast<int>(signs.size()); }
    int zero() const { return count() * count() / 2; }
};

float &weight_at(Weights &weights, int row, int place) {
    return place ? weights.units(row)[place - 1] : weights.odds(row);
}

void write_weights(Weights &weights, const std::string &made) {
    Digits digits;
    std::string text;
    for (int row = 0; row < ROWS; row++)
        for (int place = 0; place < WIDTH; place++) {
            int number = static_cast<int>(std::lrint(1024 * weight_at(weights, row, place)));
            number = std::max(-digits.zero(), std::min(digits.zero(), number)) + digits.zero();
            text += digits.signs[number / digits.count()];
            text += digits.signs[number % digits.count()];
        }
    std::printf("%s\n", made.c_str());
    for (size_t begin = 0; begin < text.size(); begin += 990) std::printf("%s\n", text.substr(begin, 990).c_str());
}

bool read_weights(Weights &weights) {
    Digits digits;
    std::string line, text;
    std::getline(std::cin, line);
    while (std::getline(std::cin, line)) text += line;
    if (text.size() != 2 * SIZE) return false;
    for (size_t place = 0; place < text.size(); place += 2) {
        size_t high = digits.signs.find(text[place]), low = digits.signs.find(text[place + 1]);
        int number = static_cast<int>(high) * digits.count() + static_cast<int>(low) - digits.zero();
        int at = static_cast<int>(place / 2);
        weight_at(weights, at / WIDTH, at % WIDTH) = static_cast<float>(number) / 1024;
    }
    return true;
}

struct School {
    const Rules &rules;
    int lessons, seed;
    Random random{static_cast<uint64_t>(seed)};
    Learner learner{random};
    Quick mind;
    std::vector<Position> positions;

    float part(int lesson) const { return static_cast<float>(lesson) / static_cast<float>(lessons); }

    /* Rounds of what was learned so far, against itself or somebody else. */
    void lesson(Mood mood, const Player *other, float pace) {
        positions.clear();
        mind.take(learner.mean);
        Player own{mind, mood, true};
        for (int round = 0; round < ROUNDS; round++) {
            Player players[] = {round % 2 && other ? *other : own, round % 2 || !other ? own : *other};
            play(rules, players, random, positions);
        }
        int count = static_cast<int>(positions.size());
        for (int place = count - 1; place > 0; place--) std::swap(positions[place], positions[random.below(place + 1)]);
        for (int number = 0; number < PARTS; number++) {
            int begin = count * number / PARTS, end = count * (number + 1) / PARTS;
            learner.step(&positions[begin], end - begin, pace, other ? SHORT_PATIENCE : PATIENCE);
        }
    }

    void write(const char *how) {
        write_weights(learner.mean, std::to_string(lessons) + " lessons of " + std::to_string(ROUNDS) + " rounds" + how
            + ", " + std::to_string(UNITS) + " units, seed " + std::to_string(seed) + ".");
    }
};

void learn(const Rules &rules, int lessons, int seed) {
    School school{rules, lessons, seed};
    for (int lesson = 0; lesson < lessons; lesson++) {
        float part = school.part(lesson);
        Mood mood{0.12f + 0.38f * std::max(0.0f, 1 - part / 0.8f), 0.1f - 0.06f * part};
        school.lesson(mood, nullptr, 0.003f * (1 - part) + 0.0002f);
    }
    school.write("");
}

/* What the first wins against the second, every deal played from both sides, in words. */
void measure(const Rules &rules, const Quick &first, const Quick &second, int seed) {
    Player one{first, SURE, false}, other{second, SURE, false};
    std::vector<Position> none;
    double sum = 0, squares = 0;
    for (int deal = 0; deal < DEALS; deal++) {
        Random random{static_cast<uint64_t>(seed) << 32 | static_cast<uint64_t>(deal)}, same = random;
        Player begins[] = {one, other}, follows[] = {other, one};
        float both = (play(rules, begins, random, none) + 1 - play(rules, follows, same, none)) / 2;
        sum += both;
        squares += both * both;
    }
    double mean = sum / DEALS, error = std::sqrt((squares / DEALS - mean * mean) / DEALS);
    std::fprintf(stderr, "%.1f +- %.1f %% of %d rounds\n", 100 * mean, 196 * error, 2 * DEALS);
}

bool exploit(const Rules &rules, int lessons, int seed) {
    School school{rules, lessons, seed};
    Weights weights;
    if (!read_weights(weights)) return false;
    school.learner.begin(weights);
    Quick fixed;
    fixed.take(weights);
    Player other{fixed, SURE, false};
    for (int lesson = 0; lesson < lessons; lesson++) {
        float part = school.part(lesson);
        school.lesson({0.15f, 0.05f * (1 - part) + 0.01f}, &other, 0.002f * (1 - part) + 0.0001f);
    }
    school.mind.take(school.learner.mean);
    measure(rules, school.mind, fixed, seed);
    school.write(" against other weights");
    return true;
}

void show(const Rules &rules, int rounds, int seed) {
    Random random{static_cast<uint64_t>(seed)};
    for (int round = 0; round < rounds; round++) {
        Table table(rules, random);
        for (int card : table.deck) std::printf("%d ", card);
        std::printf("\n");
        Option found[MOST];
        float first = -1;
        while (first < 0) {
            int count = options(rules, table.stand(), found);
            if (!count) {
                first = table.for_first(0);
                break;
            }
            const Option &option = found[random.below(count)];
            std::printf("%d %d %d %d", count, option.parry, option.move, option.cards);
            if (table.pile)
                for (int row : rows_of(option, table.stand(), table.unseen())) std::printf(" %d", row);
            std::printf("\n");
            first = table.turned(option);
        }
        std::printf("%g\n", first);
    }
}

} // namespace

int main(int count, char **words) {
    for (const Rules &rules : RULES)
        if (count == 5 && rules.name == std::string(words[2])) {
            int many = std::atoi(words[3]), seed = std::atoi(words[4]);
            if (words[1] == std::string("learn")) return learn(rules, many, seed), 0;
            if (words[1] == std::string("exploit")) return exploit(rules, many, seed) ? 0 : 1;
            if (words[1] == std::string("show")) return show(rules, many, seed), 0;
        }
    std::fprintf(stderr, "bot_school learn|exploit|show classic|advanced|brettspielnetz NUMBER SEED\n");
    return 2;
}
