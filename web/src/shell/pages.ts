import {
  Activity,
  GitFork,
  History,
  type LucideIcon,
  MessagesSquare,
  Settings,
  Shapes,
  TriangleAlert,
  UserRound,
} from "lucide-react";
import type { ComponentType } from "react";
import { paged } from "./loading";

export interface PageEntry {
  path: string;
  name: string;
  icon: LucideIcon;
  page: ComponentType;
}

/** Every page is a file of its own, loaded when it is first looked at. */
export const PAGES: readonly PageEntry[] = [
  { path: "/", name: "Chat", icon: MessagesSquare, page: paged(() => import("../pages/chat/chat")) },
  {
    path: "/memories",
    name: "Memories",
    icon: Shapes,
    page: paged(() => import("../pages/memories/memories")),
  },
  {
    path: "/profile",
    name: "Profile",
    icon: UserRound,
    page: paged(() => import("../pages/profile/profile")),
  },
  {
    path: "/timeline",
    name: "Timeline",
    icon: History,
    page: paged(() => import("../pages/timeline/timeline")),
  },
  { path: "/graph", name: "Graph", icon: GitFork, page: paged(() => import("../pages/graph/graph")) },
  {
    path: "/conflicts",
    name: "Conflicts",
    icon: TriangleAlert,
    page: paged(() => import("../pages/conflicts/conflicts")),
  },
  { path: "/stats", name: "Stats", icon: Activity, page: paged(() => import("../pages/stats/stats")) },
  {
    path: "/settings",
    name: "Settings",
    icon: Settings,
    page: paged(() => import("../pages/settings/settings")),
  },
];

/** How many stand in the bar of a phone; the others are behind "More". */
export const ON_PHONE = 4;
