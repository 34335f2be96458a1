# Part of tests/gpu/run: results of the steps, and measured figures. The page and the JSON are rewritten after each
# step, so that an interrupted run keeps its results.

# States of a step: passed, failed, "not run" (a tool is missing, refused or timed out, or there is no GPU).
# States of a figure: met, missed, found (no goal for this GPU), "not run".
step_names=() step_states=() step_seconds=() step_notes=()
figure_names=() figure_units=() figure_better=() figure_goals=() figure_found=() figure_floors=() figure_states=()

# record STATE SECONDS NOTE: records the result of the current step.
record() {
    step_names+=("$step") step_states+=("$1") step_seconds+=("$2") step_notes+=("$3")
    printf '%-8s %-34s %6.1f s  %s\n' "$1" "$step" "$2" "$3"
    write_results
}

# add_figure NAME UNIT more|less GOAL FOUND FLOOR: "-" stands for an unknown value.
add_figure() {
    local state=found
    if [[ $5 == - ]]; then
        state="not run"
    elif [[ $4 != - ]]; then
        state=$(awk -v better="$3" -v goal="$4" -v found="$5" \
            'BEGIN { print ((better == "more") ? found >= goal : found <= goal) ? "met" : "missed" }')
    fi
    figure_names+=("$1") figure_units+=("$2") figure_better+=("$3") figure_goals+=("$4") figure_found+=("$5")
    figure_floors+=("$6") figure_states+=("$state")
}

# expect_figure NAME UNIT more|less GOAL: adds the figure as "not run" if no test printed it.
expect_figure() {
    local i
    for i in "${!figure_names[@]}"; do
        [[ ${figure_names[i]}/${figure_units[i]} != "$1/$2" ]] || return
    done
    add_figure "$1" "$2" "$3" "$4" - -
}

# Adds the figures that tests print (tests/gpu/figures.h).
add_figures_of() {  # LOG
    local name unit better goal found floor
    while IFS='|' read -r name unit better goal found floor; do
        add_figure "$name" "$unit" "$better" "$goal" "$found" "$floor"
    done < <(sed -nE 's/^figure: (.*)$/\1/p' "$1" | sed 's/ | /|/g')
}

# count STATE LIST...: sets `number` to the number of items in the list that equal STATE.
count() {
    local wanted=$1 state
    shift
    number=0
    for state in "$@"; do [[ $state != "$wanted" ]] || number=$((number + 1)); done
}

# Prints the exit code: 1 if a step failed or missed its goal, else 3 if something was not run, else 0.
verdict() {
    local number failed not_run
    count failed "${step_states[@]}" && failed=$number
    count missed "${figure_states[@]}" && failed=$((failed + number))
    count 'not run' "${step_states[@]}" "${figure_states[@]}" && not_run=$number
    if ((failed > 0)); then echo 1; elif ((not_run > 0 || ${#step_states[@]} == 0)); then echo 3; else echo 0; fi
}

# Results go to the variable `text`: pages are written often, and a subshell for each would be slow.
json_text() {
    text=${1//[[:cntrl:]]/ }
    text=${text//\\/\\\\}
    text=\"${text//\"/\\\"}\"
}
json_number() { if [[ $1 =~ ^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$ ]]; then text=$1; else text=null; fi; }
# json_pair KEY text|number VALUE: appends to `line`.
json_pair() {
    "json_$2" "$3"
    line+="${line:+, }\"$1\": $text"
}

write_json() {
    local i line text separator= code
    code=$(verdict)
    printf '{\n  "finished": %s,\n  "passed": %s,\n  "exit_code": %d,\n' "$finished" \
        "$([[ $code == 0 && $finished == true ]] && echo true || echo false)" "$code"
    json_text "$renderer" && printf '  "renderer": %s,\n' "$text"
    json_text "$gpu" && printf '  "gpu": %s,\n  "seconds": %d,\n  "steps": [' "$text" "$SECONDS"
    for i in "${!step_names[@]}"; do
        line=
        json_pair name text "${step_names[i]}"
        json_pair state text "${step_states[i]}"
        json_pair seconds number "${step_seconds[i]}"
        json_pair note text "${step_notes[i]}"
        printf '%s\n    {%s}' "$separator" "$line"
        separator=,
    done
    separator=
    printf '\n  ],\n  "figures": ['
    for i in "${!figure_names[@]}"; do
        line=
        json_pair name text "${figure_names[i]}"
        json_pair unit text "${figure_units[i]}"
        json_pair better text "${figure_better[i]}"
        json_pair goal number "${figure_goals[i]}"
        json_pair found number "${figure_found[i]}"
        json_pair floor number "${figure_floors[i]}"
        json_pair state text "${figure_states[i]}"
        printf '%s\n    {%s}' "$separator" "$line"
        separator=,
    done
    printf '\n  ]\n}\n'
}

write_page() {
    local i
    printf 'GPU: %s\nOpenGL: %s\n%d s%s\n\n' "${gpu:-none}" "${renderer:-none}" "$SECONDS" \
        "$([[ $finished == true ]] || echo ', unfinished')"
    printf '%-42s %-16s %10s %10s %10s  %s\n' figure unit goal found floor state
    for i in "${!figure_names[@]}"; do
        printf '%-42s %-16s %10s %10s %10s  %s\n' "${figure_names[i]}" "${figure_units[i]}" "${figure_goals[i]}" \
            "${figure_found[i]}" "${figure_floors[i]}" "${figure_states[i]}"
    done
    printf '\n'
    for i in "${!step_names[@]}"; do
        printf '%-8s %-34s %6.1f s  %s\n' "${step_states[i]}" "${step_names[i]}" "${step_seconds[i]}" "${step_notes[i]}"
    done
}

# Replaces each file in one step, once it is complete.
write_results() {
    write_json >"$out/.summary" && mv -f -- "$out/.summary" "$out/summary.json"
    write_page >"$out/.page" && mv -f -- "$out/.page" "$out/summary.txt"
}

# ---- reading JSON that has one key per line ----

# json_value FILE KEY: prints the first value of that key.
json_value() { sed -nE "s/^ *\"$2\": (\"([^\"]*)\"|([^\",]*)),?\$/\\2\\3/p" "$1" | head -1; }
last_line() { tail -n 1 "$1" | cut -c1-160; }

# json_paths FILE: prints "rows/3/time_ms/median<TAB>0.5", one line per value.
json_paths() {
    awk '
        function name(depth,    i, text) {
            text = path[1]
            for (i = 2; i <= depth; ++i) text = text "/" path[i]
            return text
        }
        {
            match($0, /^ */)
            depth = RLENGTH / 2
            line = substr($0, RLENGTH + 1)
            sub(/,$/, "", line)
            if (depth == 0 || line ~ /^[\]}]/) next
            if (match(line, /^"[^"]*": /)) {
                path[depth] = substr(line, 2, RLENGTH - 4)
                line = substr(line, RLENGTH + 1)
            } else path[depth] = at[depth]++
            if (line == "{" || line == "[") at[depth + 1] = 0
            else {
                gsub(/^"|"$/, "", line)
                print name(depth) "\t" line
            }
        }' "$1"
}

# json_row FILE LIST FIELD KEY=VALUE...: prints the field of the first list item whose keys have these values.
json_row() {
    local file=$1 list=$2 field=$3 row rest condition
    shift 3
    json_paths "$file" >"$scratch/paths"
    for row in $(sed -nE "s|^$list/([0-9]+)/.*|\\1|p" "$scratch/paths" | uniq); do
        rest=yes
        for condition in "$@"; do
            grep -qxF "$list/$row/${condition%%=*}"$'\t'"${condition#*=}" "$scratch/paths" || rest=no
        done
        [[ $rest == yes ]] || continue
        sed -n "s|^$list/$row/$field"$'\t'"||p" "$scratch/paths" | head -1
        return
    done
}
