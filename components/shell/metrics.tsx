import { LeaveWhole } from './leave-whole'

/**
 * The web-analytics counter of pages that are only read. It is rendered only after the visitor agreed to cookies. It has
 * the page's nonce, because the policy allows no other script.
 */
export const Metrics = ({ address, nonce }: { address: string | null; nonce: string | undefined }) =>
  address ? (
    <>
      <script async src={address} nonce={nonce} data-metrics />
      <LeaveWhole />
    </>
  ) : null
