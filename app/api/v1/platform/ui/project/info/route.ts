import { route } from '@/lib/context/route'
import { getProjectInfo } from '@/lib/platform/project-info/contract'
import { domainProjectInfo } from '@/lib/platform/project-info/service'

export const GET = route(getProjectInfo, domainProjectInfo)
