import { providerCallbackRoute } from '@/lib/request/provider-sign-in'

export const GET = providerCallbackRoute
