import type { Block, Letter } from './letter'

/** Breaks a text into lines of at most 76 characters, at spaces; an address stays whole. */
function wrapped(text: string, indent = ''): string {
  return text
    .split('\n')
    .map((line) => {
      const lines: string[] = []
      let current = ''
      for (const word of line.split(' ')) {
        if (current && indent.length + current.length + 1 + word.length > 76) {
          lines.push(current)
          current = word
        } else current = current ? `${current} ${word}` : word
      }
      return [...lines, current].join(`\n${indent}`)
    })
    .join(`\n${indent}`)
}

const bullet = (text: string) => `• ${wrapped(text, '  ')}`

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
    case 'note':
      return wrapped(block.text)
    case 'code':
      return `    ${block.code}`
    case 'facts':
      return block.facts.map(({ label, value }) => wrapped(`${label}: ${value}`, '  ')).join('\n')
    case 'list':
      return [`${block.label}:`, ...block.items.map(bullet)].join('\n')
    case 'quote':
      return [`${block.label}:`, ...block.text.split('\n').map((line) => `> ${wrapped(line, '> ')}`.trimEnd())].join(
        '\n',
      )
    case 'button':
      return `${block.label}:\n${block.link}`
    case 'items':
      return block.items
        .map(({ title, text, when, link }) =>
          [
            bullet(title),
            `  ${when}`,
            ...(text ? [`  ${wrapped(text, '  ')}`] : []),
            ...(link ? [`  ${link}`] : []),
          ].join('\n'),
        )
        .join('\n\n')
  }
}

/** Returns the text part of a mail, with everything that the HTML part says. */
export function letterText({ heading, greeting, blocks, words, sender }: Letter): string {
  const { project, origin, support } = sender
  return [
    heading,
    greeting,
    ...blocks.map(blockText),
    // the separator before a signature: mail programs leave out what follows when somebody answers
    ['-- ', project, origin, ...(support ? [`${words.support}: ${support.text}`] : []), words.automatic].join('\n'),
  ].join('\n\n')
}
