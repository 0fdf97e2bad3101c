// A rule of textlint: reports sentences of more words than the option `max` says.
// Code in a sentence counts as one word; code blocks, tables and headings have no sentences.

import { splitAST, SentenceSplitterSyntax } from "sentence-splitter";
import { StringSource } from "textlint-util-to-string";

/** The words of a sentence: what stands between blanks and has a letter or a digit. */
function countWords(sentence) {
    const asOneWord = ({ node, maskValue, emptyValue }) => {
        if (node.type === "Code") return maskValue("x");
        return node.type === "Html" || node.type === "Comment" ? emptyValue() : undefined;
    };
    const text = new StringSource(sentence, { replacer: asOneWord }).toString();
    return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

export default function (context, { max }) {
    const { Syntax, RuleError, locator, report } = context;
    return {
        [Syntax.Paragraph](paragraph) {
            for (const sentence of splitAST(paragraph).children) {
                if (sentence.type !== SentenceSplitterSyntax.Sentence) continue;
                const words = countWords(sentence);
                if (words > max) {
                    const begin = sentence.range[0] - paragraph.range[0];
                    report(
                        paragraph,
                        new RuleError(`a sentence of ${words} words: at most ${max}`, { padding: locator.at(begin) }),
                    );
                }
            }
        },
    };
}
