import Markdown from 'react-markdown'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'

/**
 * Somebody's markdown or HTML. Both go through one sanitizer, on the server: no script, style, handler, frame
 * or address with a scheme of its own gets past it.
 */
export function RichText({ text }: { text: string }) {
  return (
    <div className="rich-text">
      <Markdown rehypePlugins={[rehypeRaw, rehypeSanitize]}>{text}</Markdown>
    </div>
  )
}
