import type { Block, Letter } from './letter'

/** Indents the lines of a text after the first. Lines have any length, because mail programs wrap them. */
const indented = (text: string, indent: string) => text.replaceAll('\n', `\n${indent}`)

const bullet = (text: string) => `• ${indented(text, '  ')}`

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return block.text
    case 'code':
      return `    ${block.code}`
    case 'facts':
      return block.facts.map(({ label, value }) => indented(`${label}: ${value}`, '  ')).join('\n')
    case 'list':
      return [`${block.label}:`, ...block.items.map(bullet)].join('\n')
    case 'quote':
      return [`${block.label}:`, ...block.text.split('\n').map((line) => `> ${line}`.trimEnd())].join('\n')
    case 'button':
      return `${block.label}:\n${block.link}`
    case 'items':
      return block.items
        .map(({ title, text, when, link }) =>
          [
            bullet(title),
            `  ${when}`,
            ...(text ? [`  ${indented(text, '  ')}`] : []),
            ...(link ? [`  ${link}`] : []),
          ].join('\n'),
        )
        .join('\n\n')
  }
}

/** Returns the text part of a mail, with the same content as the HTML part. */
export function letterText({ heading, greeting, blocks, words, sender }: Letter): string {
  const { project, origin, support } = sender
  return [
    heading,
    greeting,
    ...blocks.map(blockText),
    // the separator before a signature: mail programs leave the signature out of answers
    ['-- ', project, origin, ...(support ? [`${words.support}: ${support.text}`] : []), words.automatic].join('\n'),
  ].join('\n\n')
}
