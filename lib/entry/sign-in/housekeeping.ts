import { removeStaleAttempts } from './queries'

/** What sign-in leaves behind and nobody needs any more. */
export const tidySignIn = () => removeStaleAttempts()
