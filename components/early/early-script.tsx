import { earlyEvents } from './early-events'

/** The script with `earlyEvents`, for the head of a page. The page's policy requires its `nonce`. */
export const EarlyScript = ({ nonce }: { nonce: string | undefined }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: our own function, which takes nothing from a request
  <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: `(${earlyEvents})()` }} />
)
