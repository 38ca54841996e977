/**
 * The web-analytics counter of the public pages: only rendered once the visitor agreed to cookies. Runs under the
 * page's nonce, since the policy lets no other script in.
 */
export const Metrics = ({ address, nonce }: { address: string | null; nonce: string | undefined }) =>
  address ? <script async src={address} nonce={nonce} data-metrics /> : null
