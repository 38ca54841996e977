import { earlyEvents } from './early-events'

/** The script of `earlyEvents`, for the head of a page; `nonce` is the page's, as its policy demands. */
export const EarlyScript = ({ nonce }: { nonce: string | undefined }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own function, which takes nothing from a request
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: `(${earlyEvents})()` }} />
)
