import { versionOf } from '@/lib/base/http/immutable-response'
import { counterAddress } from '@/lib/base/navigation/counter'
import { splitMobile } from '@/lib/base/text/mobile-country'
import { randomPassword } from '@/lib/sign-in/passwords/random-password'
import { mendScript } from './mend-script'
import { mobileScript } from './mobile-script'
import { pageScript } from './page-script'
import { passwordScript } from './password-script'

/** The script of public pages, as browsers load it. */
export const publicScript = `(${pageScript})(${counterAddress});(${mendScript})();(${passwordScript})(${randomPassword});(${mobileScript})(${splitMobile})`

/** Its address, which browsers cache for ever. */
export const publicScriptAddress = `/platform/script.js?v=${versionOf(publicScript)}`
