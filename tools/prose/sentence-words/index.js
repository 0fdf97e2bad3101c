// A rule of textlint: reports sentences of more words than the option `max` says.
// Code in a sentence counts as one word, and so does a list of it; code blocks, tables and headings have no sentences.

import { splitAST, SentenceSplitterSyntax } from "sentence-splitter";
import { StringSource } from "textlint-util-to-string";

/** Code that has been masked, with more of it after commas, "and" or "or". */
const LIST_OF_CODE = /\bx+(?:,?\s+(?:(?:and|or)\s+)?x+\b)+/g;

/** The end of a sentence after a number, which the splitter takes for one of a numbered list. */
const AFTER_NUMBER = /(?<=\d\.)\s+(?=\p{Lu})/u;

/** The most words of a sentence: what stands between blanks and has a letter or a digit. */
function countWords(sentence) {
    const asOneWord = ({ node, maskValue, emptyValue }) => {
        if (node.type === "Code") return maskValue("x");
        return node.type === "Html" || node.type === "Comment" ? emptyValue() : undefined;
    };
    const text = new StringSource(sentence, { replacer: asOneWord }).toString();
    const counts = text.replace(LIST_OF_CODE, "x").split(AFTER_NUMBER).map((part) => part.split(/\s+/).filter(isWord).length);
    return Math.max(...counts);
}

function isWord(text) {
    return /[\p{L}\p{N}]/u.test(text);
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
