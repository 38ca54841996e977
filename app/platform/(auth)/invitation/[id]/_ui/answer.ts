import { unlessDead } from '../../../_ui/link-died'

/** The errors after the invitation was answered elsewhere, or another account signed in. */
const ended = ['expired', 'used', 'canceled', 'active', 'invitationSignIn', 'errorEmailRegistered']

/** Makes a call about an invitation. If the invitation has ended, it refreshes the page and returns undefined. */
export const unlessEnded = <T>(send: () => Promise<T>) => unlessDead(send, ended)
