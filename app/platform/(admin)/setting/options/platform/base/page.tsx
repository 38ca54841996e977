import { screenTitle } from '@/lib/context/title'
import { readPlatformSettings } from '@/lib/people/settings/service'
import { SettingsPage } from '../../_ui/settings-page'

export const generateMetadata = () => screenTitle('PlatformSettingsBase')

/** The settings of the platform, by module. */
export default function PlatformSettingsBasePage() {
  return <SettingsPage name="PlatformSettingsBase" scope="platform" lead="lead" read={readPlatformSettings} />
}
