import { render } from '@react-email/render'
import type { CSSProperties, ReactNode } from 'react'
import type { Block, Letter, LetterItem, Look } from './letter'

// the colors of the pages (app/globals.css); mail programs do not support variables
const light = { paper: '#f4f4f0', card: '#ffffff', line: '#e3e3dc', ink: '#171a1f', second: '#555b66' }
const dark = { paper: '#111417', card: '#181c20', line: '#2a3036', ink: '#eceef0', second: '#a9b0b8' }

const font = "'Golos Text','Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const body: CSSProperties = { fontFamily: font, fontSize: '16px', lineHeight: '24px', color: light.ink }
const small: CSSProperties = { fontFamily: font, fontSize: '14px', lineHeight: '20px', color: light.second }

/** Styles for mail programs that support dark mode or narrow screens; they override the inline styles. */
const sheet = ({ dark: shades }: Look) =>
  [
    'body{margin:0;padding:0;-webkit-text-size-adjust:100%}',
    'a{text-underline-offset:2px}',
    '@media (max-width:480px){.outer{padding:16px 8px 24px!important}.pad{padding:24px 20px 20px!important}.wide{width:100%!important}.wide a{display:block!important;text-align:center!important}.fact{display:block!important;width:auto!important;padding:0!important}.fact-value{padding-bottom:10px!important}}',
    '@media (prefers-color-scheme:dark){',
    `.paper{background-color:${dark.paper}!important}.card{background-color:${dark.card}!important;border-color:${dark.line}!important}`,
    `.rule{border-color:${dark.line}!important}.ink{color:${dark.ink}!important}.second{color:${dark.second}!important}`,
    `.brand{color:${shades.brand}!important}.edge{background-color:${shades.brand}!important}.tint{background-color:${shades.tint}!important}`,
    `.fill{background-color:${shades.brand}!important;border-color:${shades.brand}!important}.on-fill{color:${shades.ink}!important}}`,
  ].join('')

/** Inserts no-break spaces: a Russian line must not end in a short word or begin with a dash. */
const withNoBreakSpaces = (text: string, locale: string) =>
  locale === 'ru'
    ? text
        .replace(/(?<=^|[\s(«])(\p{L}{1,2}) (?=\S)/gu, '$1\u00a0')
        .replace(/ —/g, '\u00a0—')
        .replace(/(\d) (?=\p{L})/gu, '$1\u00a0')
    : text.replace(/ —/g, '\u00a0—').replace(/(\d) (?=\p{L})/gu, '$1\u00a0')

type TableProps = { children: ReactNode; style?: CSSProperties; className?: string; width?: string }

/** A layout table, which all mail programs render alike. */
const Table = ({ children, width = '100%', ...tableProps }: TableProps) => (
  <table role="presentation" border={0} cellPadding={0} cellSpacing={0} width={width} {...tableProps}>
    <tbody>{children}</tbody>
  </table>
)

const Row = ({ children, ...cell }: { children: ReactNode; style?: CSSProperties; className?: string }) => (
  <tr>
    <td {...cell}>{children}</td>
  </tr>
)

/** Text of several lines; empty lines separate paragraphs. */
const Lines = ({ text }: { text: string }) =>
  text.split('\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
    <span key={index}>
      {index > 0 ? <br /> : null}
      {line}
    </span>
  ))

function Code({ code, look }: { code: string; look: Look }) {
  return (
    <Table width="auto" style={{ margin: '0 0 20px' }}>
      <Row
        className="tint"
        style={{ padding: '14px 18px 14px 26px', backgroundColor: look.light.tint, borderRadius: '10px' }}
      >
        <span
          className="ink"
          style={{
            fontFamily: font,
            fontSize: '32px',
            lineHeight: '40px',
            fontWeight: 600,
            letterSpacing: '8px',
            color: light.ink,
          }}
        >
          {code}
        </span>
      </Row>
    </Table>
  )
}

function Button({ label, link, below, look }: { label: string; link: string; below: string; look: Look }) {
  const { brand, ink } = look.light
  return (
    <>
      <Table width="auto" className="wide" style={{ margin: '4px 0 16px' }}>
        <Row className="fill" style={{ backgroundColor: brand, borderRadius: '8px' }}>
          <a
            href={link}
            className="fill on-fill"
            style={{
              display: 'inline-block',
              padding: '11px 22px',
              border: `1px solid ${brand}`,
              borderRadius: '8px',
              backgroundColor: brand,
              fontFamily: font,
              fontSize: '16px',
              lineHeight: '24px',
              fontWeight: 600,
              color: ink,
              textDecoration: 'none',
            }}
          >
            {label}
          </a>
        </Row>
      </Table>
      <p className="second" style={{ ...small, fontSize: '13px', lineHeight: '18px', margin: '0 0 20px' }}>
        {below}
        <br />
        <a href={link} className="brand" style={{ color: brand, wordBreak: 'break-all' }}>
          {link}
        </a>
      </p>
    </>
  )
}

function Item({ item: { title, text, when, link }, look }: { item: LetterItem; look: Look }) {
  return (
    <Row className="rule" style={{ padding: '14px 0', borderTop: `1px solid ${light.line}` }}>
      <p className="ink" style={{ ...body, margin: 0, fontWeight: 600 }}>
        {link ? (
          <a href={link} className="brand" style={{ color: look.light.brand }}>
            {title}
          </a>
        ) : (
          title
        )}
      </p>
      <p className="second" style={{ ...small, fontSize: '13px', margin: '2px 0 0' }}>
        {when}
      </p>
      {text ? (
        <p className="ink" style={{ ...body, margin: '6px 0 0', fontSize: '15px', lineHeight: '22px' }}>
          <Lines text={text} />
        </p>
      ) : null}
    </Row>
  )
}

function Part({ block, letter }: { block: Block; letter: Letter }) {
  const { look } = letter.sender
  switch (block.kind) {
    case 'text':
      return (
        <p className="ink" style={{ ...body, margin: '0 0 16px' }}>
          {withNoBreakSpaces(block.text, letter.locale)}
        </p>
      )
    case 'note':
      return (
        <p className="second" style={{ ...small, margin: '0 0 10px' }}>
          {withNoBreakSpaces(block.text, letter.locale)}
        </p>
      )
    case 'code':
      return <Code code={block.code} look={look} />
    case 'facts':
      return (
        <Table style={{ margin: '0 0 20px' }}>
          {block.facts.map(({ label, value }) => (
            <tr key={label}>
              <td
                className="fact second"
                width="136"
                style={{ ...small, padding: '4px 16px 4px 0', verticalAlign: 'top', width: '136px' }}
              >
                {label}
              </td>
              <td
                className="fact fact-value ink"
                style={{
                  ...body,
                  padding: '4px 0',
                  fontSize: '15px',
                  lineHeight: '20px',
                  verticalAlign: 'top',
                  wordBreak: 'break-word',
                }}
              >
                {withNoBreakSpaces(value, letter.locale)}
              </td>
            </tr>
          ))}
        </Table>
      )
    case 'list':
      return (
        <>
          <p className="second" style={{ ...small, margin: '0 0 4px' }}>
            {block.label}
          </p>
          <Table style={{ margin: '0 0 20px' }}>
            {block.items.map((item) => (
              <tr key={item}>
                <td
                  className="brand"
                  width="18"
                  style={{ ...body, width: '18px', color: look.light.brand, verticalAlign: 'top' }}
                >
                  •
                </td>
                <td className="ink" style={{ ...body, wordBreak: 'break-word' }}>
                  {item}
                </td>
              </tr>
            ))}
          </Table>
        </>
      )
    case 'quote':
      return (
        <Table style={{ margin: '0 0 20px' }}>
          <Row
            className="tint"
            style={{
              padding: '12px 16px',
              backgroundColor: look.light.tint,
              borderRadius: '8px',
              wordBreak: 'break-word',
            }}
          >
            <p className="second" style={{ ...small, margin: '0 0 2px', fontSize: '13px' }}>
              {block.label}
            </p>
            <p className="ink" style={{ ...body, margin: 0 }}>
              <Lines text={block.text} />
            </p>
          </Row>
        </Table>
      )
    case 'button':
      return <Button {...block} below={letter.words.linkBelow} look={look} />
    case 'items':
      return (
        <Table style={{ margin: '0 0 20px' }}>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items never move
            <Item key={index} item={item} look={look} />
          ))}
        </Table>
      )
  }
}

/** Two lines in the brand's color above the card, without a picture. */
const Edge = ({ look }: { look: Look }) => {
  const bar = (height: string): CSSProperties => ({
    height,
    backgroundColor: look.light.brand,
    fontSize: 0,
    lineHeight: height,
  })
  return (
    <>
      <Row className="edge" style={bar('4px')}>
        {'\u00a0'}
      </Row>
      <Row style={{ height: '2px', fontSize: 0, lineHeight: '2px' }}>{'\u00a0'}</Row>
      <Row className="edge" style={bar('1px')}>
        {'\u00a0'}
      </Row>
    </>
  )
}

function Footer({ letter: { sender, words } }: { letter: Letter }) {
  const { project, origin, look, support } = sender
  const link: CSSProperties = { color: look.light.brand }
  return (
    <Row className="second" style={{ ...small, padding: '16px 4px 0', fontSize: '13px', lineHeight: '19px' }}>
      {project} ·{' '}
      <a className="brand" href={origin} style={link}>
        {new URL(origin).host}
      </a>
      {support ? (
        <>
          <br />
          {words.support}:{' '}
          {support.link ? (
            <a className="brand" href={support.link} style={link}>
              {support.text}
            </a>
          ) : (
            support.text
          )}
        </>
      ) : null}
      <br />
      {words.automatic}
    </Row>
  )
}

function Mail({ letter }: { letter: Letter }) {
  const { locale, subject, preheader, heading, greeting, blocks, sender } = letter
  const { look, project } = sender
  return (
    <html lang={locale} dir="ltr">
      {/* biome-ignore lint/style/noHeadElement: a mail is no page of Next's */}
      <head>
        <meta httpEquiv="Content-Type" content="text/html; charset=utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="x-apple-disable-message-reformatting" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />
        <title>{subject}</title>
        <style>{sheet(look)}</style>
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, backgroundColor: light.paper }}>
        <div
          style={{ display: 'none', maxHeight: 0, overflow: 'hidden', opacity: 0, fontSize: '1px', lineHeight: '1px' }}
        >
          {preheader}
          {/* fills the preview, so that lists of mails do not show the beginning of the letter */}
          {'\u034f\u00a0'.repeat(80)}
        </div>
        <Table className="paper" style={{ backgroundColor: light.paper }}>
          <tr>
            <td className="outer" align="center" style={{ padding: '32px 16px 40px' }}>
              <Table style={{ maxWidth: '600px', textAlign: 'left' }}>
                <Row
                  className="brand"
                  style={{ ...body, padding: '0 4px 14px', fontSize: '18px', fontWeight: 600, color: look.light.brand }}
                >
                  {project}
                </Row>
                <Edge look={look} />
                <Row
                  className="card pad"
                  style={{
                    padding: '32px 36px 26px',
                    backgroundColor: light.card,
                    border: `1px solid ${light.line}`,
                    borderTop: 0,
                    borderRadius: '0 0 14px 14px',
                  }}
                >
                  <h1
                    className="ink"
                    style={{ ...body, margin: '0 0 16px', fontSize: '24px', lineHeight: '30px', fontWeight: 600 }}
                  >
                    {withNoBreakSpaces(heading, locale)}
                  </h1>
                  <p className="ink" style={{ ...body, margin: '0 0 16px' }}>
                    {greeting}
                  </p>
                  {blocks.map((block, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: blocks never move
                    <Part key={index} block={block} letter={letter} />
                  ))}
                </Row>
                <Footer letter={letter} />
              </Table>
            </td>
          </tr>
        </Table>
      </body>
    </html>
  )
}

/** Renders a letter as HTML for mail programs. Only the worker imports this: it would make pages heavy. */
export const letterHtml = (letter: Letter): Promise<string> => render(<Mail letter={letter} />)
