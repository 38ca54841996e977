import {
  Circle,
  House,
  IdCard,
  KeyRound,
  LayoutGrid,
  type LucideIcon,
  MonitorSmartphone,
  Share2,
  Smartphone,
  UserRound,
} from 'lucide-react'

/** By the name of the page. */
const icons: Record<string, LucideIcon> = {
  switchService: LayoutGrid,
  UserProfile: UserRound,
  UserProfileMain: IdCard,
  UserProfileSessions: MonitorSmartphone,
  UserProfileApplications: KeyRound,
  Platform: House,
  PlatformDeviceTypes: Smartphone,
  PlatformNetworkAliases: Share2,
}

/** The picture beside an entry of a menu; the words say it all, so it is hidden from readers. */
export function ScreenIcon({ name }: { name: string }) {
  const Icon = icons[name] ?? Circle
  return <Icon aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
}
