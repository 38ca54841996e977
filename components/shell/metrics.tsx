/**
 * The web-analytics counter of the public pages. It is rendered only after the visitor agreed to cookies. It has the
 * page's nonce, because the policy allows no other script.
 */
export const Metrics = ({ address, nonce }: { address: string | null; nonce: string | undefined }) =>
  address ? <script async src={address} nonce={nonce} data-metrics /> : null
