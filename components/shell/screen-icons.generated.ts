// Made by npm run generate.
import { Bell, BellRing, Building, FileClock, Globe, Handshake, House, IdCard, Inbox, KeyRound, Languages, LayoutGrid, LibraryBig, ListOrdered, LogIn, MailCheck, MailPlus, Megaphone, MonitorSmartphone, Settings, Share2, ShieldCheck, ShieldX, Smartphone, TextCursorInput, UserCog, UserRound, Users, type LucideIcon } from 'lucide-react'
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
  PlatformDomains: Globe,
  PlatformAuthenticationSchemas: ListOrdered,
  PlatformDeviceTypes: Smartphone,
  PlatformNetworkAliases: Share2,
  PlatformWhitelist: ShieldCheck,
  PlatformBlacklist: ShieldX,
  PlatformUsers: Users,
  PlatformRoles: ShieldCheck,
  PlatformOrganizations: Building,
  PlatformContractors: Handshake,
  PlatformSettingsBase: Settings,
  UsersSettingsBase: UserCog,
  UsersSettingsNotify: BellRing,
  PlatformFields: TextCursorInput,
  PlatformLibrariesDocuments: LibraryBig,
  PlatformLibrariesBanners: Megaphone,
  PlatformLibrariesLocales: Languages,
  PlatformHistory: FileClock,
  PlatformSignIns: LogIn,
}
