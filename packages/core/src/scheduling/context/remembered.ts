/** Asks each question once: offerings share the few objects that they are asked about. */
export function remembered<Question extends object, Answer>(
  ask: (question: Question) => Answer,
): (question: Question) => Answer {
  const answers = new Map<Question, Answer>();
  return (question) => {
    const known = answers.get(question);
    if (known !== undefined) return known;
    const answer = ask(question);
    answers.set(question, answer);
    return answer;
  };
}
