import { pathOfScreen } from '@/lib/base/navigation/screens'
import { platformSettings } from '@/lib/site/settings/service'

/** Returns the path of the page for access requests; undefined while the setting `accessRequests` is off. */
export const requestPath = async (): Promise<string | undefined> =>
  (await platformSettings()).accessRequests ? pathOfScreen('UserProfileAccessRequests') : undefined
