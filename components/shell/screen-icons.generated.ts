// Made by npm run generate.
import { Bell, Building, Handshake, House, IdCard, Inbox, KeyRound, LayoutGrid, MailCheck, MailPlus, MonitorSmartphone, Settings, Share2, ShieldCheck, Smartphone, UserCog, UserRound, Users, type LucideIcon } from 'lucide-react'
import type { MenuScreenName } from '@/lib/kernel/navigation/screens'

/** The icon of each entry of the side menus. */
export const icons: Record<MenuScreenName, LucideIcon> = {
  switchService: LayoutGrid,
  UserProfile: UserRound,
  UserProfileMain: IdCard,
  UserProfileCompanies: Building,
  UserProfileContacts: Users,
  UserProfileSessions: MonitorSmartphone,
  UserProfileApplications: KeyRound,
  Notify: Bell,
  UserProfileSubscribes: MailCheck,
  UserProfileAccessRequests: Inbox,
  UserProfileInvitationsRequests: MailPlus,
  Platform: House,
  PlatformDeviceTypes: Smartphone,
  PlatformNetworkAliases: Share2,
  PlatformRoles: ShieldCheck,
  PlatformOrganizations: Building,
  PlatformContractors: Handshake,
  PlatformSettingsBase: Settings,
  UsersSettingsBase: UserCog,
}
