//! Tables and charts.
